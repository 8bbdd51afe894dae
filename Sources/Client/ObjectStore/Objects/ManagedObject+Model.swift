internal import Synchronization

// What an object knows of its model, which may go on any thread while the object is in use on its own isolation.
extension ManagedObject {
  /// The typed model around this object; nil where there is none, or where it is about to go.
  public var model: AnyObject? {
    guard modelAddress.load(ordering: .relaxed) != 0 else { return nil }
    guard let contextReference else { return knownModel }
    return contextReference._withUnsafeGuaranteedRef { context in
      context.modelLock.withLock { knownModel }
    }
  }

  /// The model, whose memory is there for as long as the lock is held.
  @inline(__always)
  private var knownModel: AnyObject? {
    let address = UnsafeRawPointer(bitPattern: modelAddress.load(ordering: .relaxed))
    return address.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeIfAlive() }
  }

  /// The model of this object: the one in memory, or a new one.
  @inline(__always)
  public func model<Model: PersistentModel>(as type: Model.Type) -> Model {
    if let model = model as? Model { return model }
    let made = Model.makeModel(of: self)
    setModel(made)
    return made
  }

  /// Takes `model` as the model of this object, where it has none.
  public func adopt(_ model: some PersistentModel) {
    if self.model == nil { setModel(model) }
  }

  @inline(__always)
  func setModel(_ model: AnyObject) {
    modelAddress.store(
      UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque()), ordering: .releasing)
  }

  /// Notes that a model is gone that held the object by a handle.
  func forgetModel() {
    guard modelAddress.load(ordering: .relaxed) != 0 else { return }
    guard let contextReference else { return modelAddress.store(0, ordering: .relaxed) }
    let other = contextReference._withUnsafeGuaranteedRef { context in
      context.modelLock.withLock(forgetDeadModel)
    }
    // Not under the lock: it may be the other one's last reference by now.
    _ = consume other
  }

  /// Forgets a model that is about to go; returns the one that somebody may have made since then.
  private func forgetDeadModel() -> AnyObject? {
    let address = modelAddress.load(ordering: .relaxed)
    if let other = knownModel { return other }
    _ = modelAddress.compareExchange(expected: address, desired: 0, ordering: .relaxed)
    return nil
  }
}

// A model has one storage for each class that it inherits from, and the object keeps its context for as long as any
// storage has the object, so that what is in the store can be read.
extension ManagedObject {
  /// Takes a reference for a model's storage.
  public func retainForModel() -> Unmanaged<ManagedObject> {
    if let contextReference {
      contextReference._withUnsafeGuaranteedRef { context in
        context.modelLock.withLock {
          storageCount += 1
          startHolding(context)
        }
      }
    } else {
      storageCount += 1
    }
    return .passRetained(self)
  }

  /// Gives back a reference of a model's storage, whose model goes.
  ///
  /// The context goes after the object, which takes itself out of it.
  public static func release(_ reference: Unmanaged<ManagedObject>) {
    let context = reference._withUnsafeGuaranteedRef { $0.loseStorage() }
    reference.release()
    context?._withUnsafeGuaranteedRef { $0.loseHolder() }
  }

  /// Returns the context that the object kept, where it does no longer.
  private func loseStorage() -> Unmanaged<ModelContext>? {
    guard let contextReference else {
      storageCount -= 1
      modelAddress.store(0, ordering: .relaxed)
      return nil
    }
    let (didHold, other) = contextReference._withUnsafeGuaranteedRef { context in
      context.modelLock.withLock { () -> (Bool, AnyObject?) in
        storageCount -= 1
        let other = forgetDeadModel()
        return (storageCount == 0 && stopHolding(), other)
      }
    }
    _ = consume other
    return didHold ? contextReference : nil
  }

  /// Keeps the context, where a model has the object already.
  func holdContext() {
    contextReference?._withUnsafeGuaranteedRef { context in
      context.modelLock.withLock { startHolding(context) }
    }
  }

  /// Keeps the context no longer; it goes where nobody else keeps it.
  func letGoOfContext() {
    contextReference?._withUnsafeGuaranteedRef { context in
      if context.modelLock.withLock(stopHolding) { context.loseHolder() }
    }
  }

  @inline(__always)
  private func startHolding(_ context: ModelContext) {
    guard storageCount > 0, context.staysForModels, !holdsContext else { return }
    holdsContext = true
    context.gainHolder()
  }

  /// Whether the object kept its context, which it does no longer.
  private func stopHolding() -> Bool {
    defer { holdsContext = false }
    return holdsContext
  }
}
