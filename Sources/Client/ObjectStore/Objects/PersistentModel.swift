public import DataModel
internal import FoundationEssentials
public import PredicateSQL

/// A class whose objects a store keeps: a typed face on a `ManagedObject`.
///
/// `@Model` writes the conformance. Its accessors read and write slots of the object, by numbers that
/// are known when the program starts, so a property costs no look-up by name.
public protocol PersistentModel: AnyObject, QueryValueConvertible {
  /// The layout of objects that are in no store yet.
  static var detachedLayout: EntityLayout { get }
  /// Makes the model of an object that a context has read.
  init(handle: consuming ModelHandle)
  /// The object behind the model.
  var managedObject: ManagedObject { get }
  /// The names of the properties that key paths lead to.
  static var queryNames: any QueryNames { get }
  /// Makes the model of an object: of this class, or where the object is of an entity that inherits
  /// from this one, of the class for that.
  static func makeModel(of object: ManagedObject) -> Self
  /// Tells those who observe the model that a slot, or any where it is nil, is about to change or has
  /// changed, by itself or from elsewhere.
  func tellObservers(_ slot: Int?, _ phase: ObservedPhase)
}

/// What is told to those who observe a model.
public enum ObservedPhase: Sendable {
  /// A value is about to change.
  case willChange
  /// A value has changed.
  case didChange
}

extension PersistentModel {
  /// A model of this class.
  public static func makeModel(of object: ManagedObject) -> Self {
    Self(handle: ModelHandle(object))
  }

  /// Nobody observes.
  public func tellObservers(_ slot: Int?, _ phase: ObservedPhase) {}
}

extension PersistentModel {
  /// The model's identity, which stands for it in a predicate.
  public var queryValue: FieldValue { .objectID(managedObject.queryIdentity) }
}

/// A model's hold on its object; when the model goes, the object forgets it.
public struct ModelHandle: ~Copyable {
  /// The object.
  public let object: ManagedObject

  /// Takes hold of `object`.
  public init(_ object: ManagedObject) { self.object = object }

  deinit { object.forgetModel() }
}

extension ManagedObject {
  /// What names an object that has never been saved, in this process.
  public var temporaryIdentity: ObjectIdentity {
    ObjectIdentity(store: UUID(uuid: Self.noStore), entity: entity, key: key)
  }
}

extension ModelContext {
  /// Makes `model` one to be inserted at the next save, and with it every new object that it refers to.
  public func insert(_ model: some PersistentModel) throws(StoreError) {
    let object = model.managedObject
    object.adopt(model)
    try insert(object)
  }

  /// Marks `model` to be deleted at the next save.
  public func delete(_ model: some PersistentModel) throws(StoreError) {
    try delete(model.managedObject)
  }

  /// The model of `object`: the one in memory, or a new one around it.
  @inline(__always)
  public func model<Model: PersistentModel>(of object: ManagedObject, as type: Model.Type) -> Model
  {
    object.model(as: type)
  }
}
