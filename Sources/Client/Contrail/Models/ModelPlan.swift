import DataModel
import ObjectStore
import PredicateSQL
import Synchronization

/// What is known of one model class: its entity, its properties, and where they are in an object.
///
/// It is made when the class is first used, and the rest of it when that is first asked for.
public final class ModelPlan: Sendable {
  let type: any PersistentModel.Type
  /// The entity's name: the class's.
  public let entityName: String
  private let known = AtomicLazyReference<KnownProperties>()
  private let layoutReference = AtomicLazyReference<EntityLayout>()
  private let outlineReference = AtomicLazyReference<EntityLayout>()
  private let subplans = Mutex<[String: ModelPlan]>([:])
  private let hasSubplans = Atomic<Bool>(false)

  /// Describes a class.
  public init<Model: PersistentModel>(_ type: Model.Type) {
    self.type = type
    entityName = _typeName(type, qualified: false)
  }

  /// The plan of a class that cannot keep its own.
  public static func shared<Model: PersistentModel>(_ type: Model.Type) -> ModelPlan {
    sharedPlans.withLock { plans in
      let key = ObjectIdentifier(type)
      if let known = plans[key] { return known }
      let made = ModelPlan(type)
      plans[key] = made
      return made
    }
  }

  private static let sharedPlans = Mutex<[ObjectIdentifier: ModelPlan]>([:])

  /// The layout of objects that are in no store yet.
  var layout: EntityLayout {
    layoutReference.load() ?? layoutReference.storeIfNil(makeLayout())
  }

  private func makeLayout() -> EntityLayout {
    // What is wrong with the classes is told by the container that they are given to.
    let schema = SchemaBuilder([type]).build().schema
    return EntityLayout.detached(entityName, of: schema)
  }

  /// The layout of objects that key paths are followed on: known before what key paths say is.
  var outline: EntityLayout {
    outlineReference.load()
      ?? outlineReference.storeIfNil(
        EntityLayout.detached(entityName, of: SchemaBuilder([type]).outline()))
  }

  /// Takes the layout that the class has together with others, where it has none yet.
  func offer(_ layout: EntityLayout) { _ = layoutReference.storeIfNil(layout) }

  /// The properties that the class and its ancestors declare.
  var properties: KnownProperties { known.load() ?? known.storeIfNil(KnownProperties(self)) }

  /// The plan of the superclass, where that is a model.
  var superplan: ModelPlan? {
    (_getSuperclass(type) as? any PersistentModel.Type)?._$plan
  }

  /// Whether this is the class, or an ancestor of the class, of `other`.
  func isAncestor(of other: ModelPlan) -> Bool {
    var next: ModelPlan? = other
    while let plan = next {
      if plan === self { return true }
      next = plan.superplan
    }
    return false
  }

  /// Makes a class that inherits from this one known.
  func add(_ subplan: ModelPlan) {
    subplans.withLock { $0[subplan.entityName] = subplan }
    hasSubplans.store(true, ordering: .releasing)
  }

  /// The plan for an object whose entity inherits from this one's; nil where it is of this one.
  func plan(for object: ManagedObject) -> ModelPlan? {
    guard hasSubplans.load(ordering: .acquiring) else { return nil }
    let entity = object.entity
    return entity == entityName ? nil : subplans.withLock { $0[entity] }
  }

  /// A model of this class.
  func makeModel(_ object: ManagedObject) -> any PersistentModel {
    type.init(handle: ModelHandle(object))
  }

  /// The key paths of the property of that name, or of all; of a member of a composite attribute, the
  /// whole attribute's.
  func observedPaths(_ name: String?) -> [any ObservedPath] {
    let all = properties.all
    guard let name else { return all.compactMap { $0.keypath as? any ObservedPath } }
    let whole = name.prefix { $0 != "." }
    return all.first { $0.name == whole }.flatMap { $0.keypath as? any ObservedPath }
      .map { [$0] } ?? []
  }
}

/// One property of a class.
struct KnownProperty {
  let name: String
  let keypath: AnyKeyPath
  let kind: PropertyKind
  let attribute: Schema.Attribute?
  let relationship: Schema.Relationship?
  let defaultValue: Any?
  /// What an encodable type is made of, where each part has a column.
  let shape: CompositeShape?

  init(_ metadata: Schema.PropertyMetadata) {
    name = metadata.name
    keypath = metadata.keypath
    attribute = metadata.metadata as? Schema.Attribute
    relationship = metadata.metadata as? Schema.Relationship
    defaultValue = metadata.defaultValue
    let kind = PropertyKind(
      Swift.type(of: metadata.keypath).valueType, attribute?.options ?? [])
    self.kind = kind
    if case .codable(let type, false, _) = kind {
      shape = CompositeShape.of(type)
    } else {
      shape = nil
    }
  }

  /// Whether predicates can speak of it: what is encoded whole is compared by Swift only.
  var isQueryable: Bool {
    switch kind {
    case .codable: shape != nil
    case .transformed, .unsupported: false
    default: true
    }
  }
}

/// The properties of a class.
///
/// Unchecked: key paths and types are compared only, and nothing changes once it is made.
final class KnownProperties: @unchecked Sendable {
  /// What the class declares itself.
  let own: [KnownProperty]
  /// What it declares and inherits.
  let all: [KnownProperty]
  /// Sets of properties, unique or indexed.
  let lists: [ListedPaths]
  private let names: [AnyKeyPath: KnownProperty]

  init(_ plan: ModelPlan) {
    let metadata = plan.type.schemaMetadata
    own = metadata.filter { !($0.metadata is any SchemaListing) }.map { KnownProperty($0) }
    lists = metadata.flatMap { ($0.metadata as? any SchemaListing)?.lists ?? [] }
    all = (plan.superplan?.properties.all ?? []) + own
    names = Dictionary(all.map { ($0.keypath, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The property that a key path leads to.
  func property(of keyPath: AnyKeyPath) -> KnownProperty? { names[keyPath] }

  /// The property of that name.
  func property(_ name: String) -> KnownProperty? { all.first { $0.name == name } }
}
