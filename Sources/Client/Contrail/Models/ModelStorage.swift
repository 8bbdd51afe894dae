public import ObjectStore

/// What a model object holds of its own: nothing yet, the values that were given before `self` was
/// complete, or its object.
///
/// One word, and no allocation: a fetched model is its class instance and nothing else. It is made and
/// called by code that `@Model` wrote; each class of a hierarchy has one of its own, and all of them
/// hold the same object.
public struct ModelStorage: ~Copyable {
  @usableFromInline
  enum Content {
    case empty
    case object(Unmanaged<ManagedObject>)
    case pending(PendingValues)
  }

  @usableFromInline var content: Content

  /// Holds nothing yet.
  @inlinable public init() { content = .empty }

  /// Holds the object of a handle.
  @inlinable public init(_ handle: borrowing ModelHandle) {
    content = .object(handle.object.retainForModel())
  }

  deinit {
    guard case .object(let object) = content else { return }
    ManagedObject.release(object)
  }

  /// Holds an object, where it holds none yet.
  mutating func take(_ object: ManagedObject) {
    if case .object = content { return }
    content = .object(object.retainForModel())
  }

  /// The object; a new one where there is none yet.
  ///
  /// Not retained here and below: the model has it for as long as it lives, and it is in use.
  @inlinable @inline(__always)
  func reference<Model: PersistentModel>(of model: Model) -> Unmanaged<ManagedObject> {
    if case .object(let object) = content { return object }
    return model._newObject()
  }

  /// The object; a new one where there is none yet.
  @inlinable @inline(__always)
  func object<Model: PersistentModel>(of model: Model) -> ManagedObject {
    reference(of: model).takeUnretainedValue()
  }

  /// Reads the object, after whoever observes has noted that a property is read.
  @inlinable @inline(__always)
  func reading<Model: PersistentModel, Value, Result>(
    _ model: Model, _ path: () -> KeyPath<Model, Value>, _ read: (ManagedObject) -> Result
  ) -> Result {
    reference(of: model)._withUnsafeGuaranteedRef { object in
      if object.isReadObserved() { object.observers?.registrar.access(model, keyPath: path()) }
      return read(object)
    }
  }

  /// Changes the object, and tells whoever observes.
  @inlinable @inline(__always)
  func changing<Model: PersistentModel, Value>(
    _ model: Model, _ path: () -> KeyPath<Model, Value>, _ change: (ManagedObject) -> Void
  ) {
    reference(of: model)._withUnsafeGuaranteedRef { object in
      guard let observers = object.observers else { return change(object) }
      let path = path()
      observers.registrar.willSet(model, keyPath: path)
      change(object)
      observers.registrar.didSet(model, keyPath: path)
    }
  }

  /// Keeps a value for the object that is made once `self` is complete.
  @usableFromInline
  mutating func keep(_ rank: Int, _ write: @escaping (ManagedObject, Int) -> Void) {
    let pending: PendingValues
    switch content {
    case .empty:
      pending = PendingValues()
      content = .pending(pending)
    case .pending(let known): pending = known
    // A second initialisation of the same model is none.
    case .object(let reference):
      let object = reference.takeUnretainedValue()
      return write(object, object.slot(rank: rank))
    }
    pending.values.append((rank, write))
  }
}

/// Values that were given to properties before there was a `self`, in the order in which they were.
@usableFromInline
final class PendingValues {
  var values: [(rank: Int, write: (ManagedObject, Int) -> Void)] = []
}

/// Goes through the storages of one model, the topmost class's first.
public struct StorageVisitor {
  private let object: ManagedObject?
  private(set) var found: ManagedObject?
  private(set) var pending: [PendingValues] = []

  /// Looks for the object, or gives `object` to all.
  init(giving object: ManagedObject? = nil) { self.object = object }

  /// Meets one storage.
  public mutating func visit(_ storage: inout ModelStorage) {
    switch storage.content {
    case .empty: break
    case .object(let known): if found == nil { found = known.takeUnretainedValue() }
    case .pending(let values): pending.append(values)
    }
    if let object { storage.take(object) }
  }
}

extension PersistentModel {
  /// Makes the object of a model that has none yet, with defaults and with what was given already.
  @inline(never)
  @discardableResult
  public func _newObject() -> Unmanaged<ManagedObject> {
    var visitor = StorageVisitor()
    _$visit(&visitor)
    let plan = Swift.type(of: self)._$plan
    let object = visitor.found ?? ManagedObject(new: plan.layout, hasDefaults: false)
    var giver = StorageVisitor(giving: object)
    _$visit(&giver)
    object.adopt(self)
    if visitor.found == nil {
      Swift.type(of: self)._$setDefaults(ModelDefaults(object))
    }
    for values in visitor.pending {
      for (rank, write) in values.values { write(object, object.slot(rank: rank)) }
    }
    return .passUnretained(object)
  }
}
