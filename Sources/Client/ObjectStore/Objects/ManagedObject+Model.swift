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
    holdContext()
  }

  /// Keeps the context for as long as there is a model, so that what is in the store can be read.
  @inline(__always)
  func holdContext() {
    guard let contextReference, modelAddress.load(ordering: .relaxed) != 0 else { return }
    contextReference._withUnsafeGuaranteedRef { context in
      guard context.staysForModels else { return }
      context.modelLock.withLock {
        if holdsContext { return }
        holdsContext = true
        context.gainHolder()
      }
    }
  }

  /// Keeps the context no longer; it goes where nobody else keeps it.
  func letGoOfContext() {
    contextReference?._withUnsafeGuaranteedRef { context in
      if context.modelLock.withLock(stopHolding) { context.loseHolder() }
    }
  }

  /// Whether the object kept its context, which it does no longer.
  private func stopHolding() -> Bool {
    defer { holdsContext = false }
    return holdsContext
  }
}

extension ManagedObject {
  /// Lets go of an object whose model goes.
  ///
  /// The context goes after the object, which takes itself out of it.
  public static func release(_ reference: Unmanaged<ManagedObject>) {
    let context = reference._withUnsafeGuaranteedRef { $0.forgetModel() }
    reference.release()
    context?._withUnsafeGuaranteedRef { $0.loseHolder() }
  }

  /// Notes that the model is gone, or that there is none yet; returns the context that the object kept for it.
  @inline(__always)
  func forgetModel() -> Unmanaged<ModelContext>? {
    guard modelAddress.load(ordering: .relaxed) != 0 else { return nil }
    guard let contextReference else {
      modelAddress.store(0, ordering: .relaxed)
      return nil
    }
    let (didHold, other) = contextReference._withUnsafeGuaranteedRef { context in
      context.modelLock.withLock { () -> (Bool, AnyObject?) in
        // Somebody may have made another model, since this one was about to go.
        if let other = knownModel { return (false, other) }
        modelAddress.store(0, ordering: .relaxed)
        return (stopHolding(), nil)
      }
    }
    // Not under the lock: it may be the other one's last reference by now.
    _ = consume other
    return didHold ? contextReference : nil
  }
}
