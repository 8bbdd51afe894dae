public import DataModel
import Foundation
public import ObjectStore
public import Observation
public import PredicateSQL

/// A class whose objects a store keeps; `@Model` writes the conformance.
///
/// A model is unique: a context has one for each object. Models are equal when they stand for the same
/// object. They belong to the isolation of their context; what crosses is `persistentModelID`.
public protocol PersistentModel: ObjectStore.PersistentModel, Observable, Hashable, Identifiable,
  SendableMetatype
{
  /// The properties that the class declares itself.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }
  /// What is known of the class.
  static var _$plan: ModelPlan { get }
  /// Writes the initial values that the properties' declarations have.
  static func _$setDefaults(_ defaults: borrowing ModelDefaults)
  /// Shows the storages of the model, the topmost class's first.
  func _$visit(_ visitor: inout StorageVisitor)
  /// The properties that tell what a model stands for, whichever device made it; none unless a class says
  /// so.
  ///
  /// ```swift
  /// static var naturalKey: [AnyKeyPath] { [\Airport.code] }
  /// ```
  ///
  /// Where a store is mirrored, models of several devices with equal values become one: it stands for what
  /// `@Attribute(.unique)` is in a store that stays here. Models without one of the values are nobody's
  /// duplicates.
  static var naturalKey: [AnyKeyPath] { get }
  /// The property that says from which version of the program on a model can be understood; none unless a
  /// class says so.
  ///
  /// ```swift
  /// static var versionField: AnyKeyPath? { \Trip.minimumVersion }
  /// ```
  ///
  /// Where a store is mirrored, models of later versions than `SyncConfiguration.versionMax` are kept unseen,
  /// and appear when the program is upgraded.
  static var versionField: AnyKeyPath? { get }
}

extension PersistentModel {
  /// None.
  public static var naturalKey: [AnyKeyPath] { [] }

  /// None.
  public static var versionField: AnyKeyPath? { nil }

  /// The object behind the model.
  public var managedObject: ManagedObject {
    var visitor = StorageVisitor()
    _$visit(&visitor)
    guard let object = visitor.found, visitor.pending.isEmpty else {
      return _newObject().takeUnretainedValue()
    }
    object.adopt(self)
    return object
  }

  /// The layout of objects that are in no store yet.
  public static var detachedLayout: EntityLayout { _$plan.layout }

  /// The names of the properties that key paths lead to.
  public static var queryNames: any QueryNames { SortNames() }

  /// The identity: temporary until the model is saved for the first time.
  public var persistentModelID: PersistentIdentifier { PersistentIdentifier(managedObject) }

  /// The identity: temporary until the model is saved for the first time.
  public var id: PersistentIdentifier { persistentModelID }

  /// The context that the model belongs to; nil before it is inserted.
  public var modelContext: ModelContext? {
    managedObject.modelContext?.owner as? ModelContext
  }

  /// Whether the model differs from what the store has.
  public var hasChanges: Bool { managedObject.hasChanges }

  /// Whether the model is deleted, or is to be at the next save.
  public var isDeleted: Bool { managedObject.isDeleted }

  /// Whether both stand for the same object.
  public static func == (first: Self, second: Self) -> Bool {
    first === second || first.managedObject === second.managedObject
  }

  /// Feeds what tells objects apart into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(managedObject)) }

  /// Notes that a property is read.
  public func access<Value>(keyPath: KeyPath<Self, Value>) {
    managedObject.observedRegistrar?.access(self, keyPath: keyPath)
  }

  /// Runs `mutation`, and tells those who observe the property.
  public func withMutation<Value, Result>(
    keyPath: KeyPath<Self, Value>, _ mutation: () throws -> Result
  ) rethrows -> Result {
    guard let registrar = managedObject.observers?.registrar else { return try mutation() }
    return try registrar.withMutation(of: self, keyPath: keyPath, mutation)
  }
}

// What the store asks of a model.
extension PersistentModel {
  /// The model's identity, which stands for it in a predicate.
  public var queryValue: FieldValue { .objectID(managedObject.queryIdentity) }

  /// The model of an object, of the class that its entity has.
  public static func makeModel(of object: ManagedObject) -> Self {
    if let special = _$plan.plan(for: object), let made = special.makeModel(object) as? Self {
      return made
    }
    return Self(handle: ModelHandle(object))
  }

  /// Tells those who observe the model.
  public func tellObservers(_ slot: Int?, _ phase: ObservedPhase) {
    let object = managedObject
    guard let registrar = object.observers?.registrar else { return }
    let name = slot.map { object.layout.slots[$0].name }
    for path in Swift.type(of: self)._$plan.observedPaths(name) {
      path.tell(registrar, self, phase)
    }
  }
}

/// A key path whose changes can be told without knowing its type.
protocol ObservedPath {
  func tell(_ registrar: ObservationRegistrar, _ model: AnyObject, _ phase: ObservedPhase)
}

extension KeyPath: ObservedPath where Root: PersistentModel {
  func tell(_ registrar: ObservationRegistrar, _ model: AnyObject, _ phase: ObservedPhase) {
    guard let model = model as? Root else { return }
    switch phase {
    case .willChange: registrar.willSet(model, keyPath: self)
    case .didChange: registrar.didSet(model, keyPath: self)
    }
  }
}
