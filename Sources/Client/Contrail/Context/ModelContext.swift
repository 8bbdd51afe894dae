import Foundation
import ObjectStore

/// A working copy of a container's models: what is read through it and changed in it, until it is saved.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(Trip(name: "Rome"))
/// try context.save()
/// ```
///
/// A context and its models belong to the isolation that made it. For one object it has one model at a time.
/// What cannot be told at once, since `insert` and its kin do not throw, is thrown by the next save.
public final class ModelContext {
  let core: ContainerCore
  private weak var knownContainer: ModelContainer?
  /// The contexts behind it, one for each store, made when they are first needed.
  private var parts: [ObjectStore.ModelContext?]
  private var home: ContextHome
  /// The class that was asked for last, and its part.
  private var lately: (plan: ModelPlan, part: ObjectStore.ModelContext)?
  /// What went wrong in calls that do not throw.
  var failures: [StoreError] = []
  /// Deletions by predicates in stores that somebody else wrote.
  var foreignDeletions: [ForeignDeletion] = []
  var settings = ContextSettings()

  /// Where the contexts behind it are at home.
  enum ContextHome {
    case actor((any Actor)?)
    case executor(ContextExecutor)
  }

  /// Makes a context over a container, at home in the isolation of the caller.
  public init(_ container: ModelContainer, isolation: isolated (any Actor)? = #isolation) {
    core = container.core
    knownContainer = container
    parts = container.core.stores.stores.map { _ in nil }
    home = .actor(isolation)
  }

  /// Makes a context over a container that is at home nowhere: for `ModelContext.init` as a value.
  @_disfavoredOverload
  public convenience init(_ container: ModelContainer) { self.init(container, isolation: nil) }

  /// Wraps a context over the one store of `core`.
  init(_ core: ContainerCore, _ part: ObjectStore.ModelContext) {
    self.core = core
    parts = [part]
    home = .actor(nil)
    part.owner = self
  }

  deinit {
    // What was lent has another owner.
    for part in parts where part?.staysForModels == true { part?.ownerIsGone() }
  }

  /// The container.
  public var container: ModelContainer {
    if let knownContainer { return knownContainer }
    let made = ModelContainer(core)
    knownContainer = made
    return made
  }
}

@available(
  *, unavailable,
  message: "contexts cannot be shared across isolations; make one where it is used, or a ModelActor"
)
extension ModelContext: @unchecked Sendable {}

extension ModelContext: Equatable {
  /// Whether both are the same context.
  public static func == (first: ModelContext, second: ModelContext) -> Bool { first === second }
}

// The contexts behind it.
extension ModelContext {
  /// The context over one store.
  func part(_ place: Int) -> ObjectStore.ModelContext {
    if let known = parts[place] { return known }
    let made = makePart(core.stores.stores[place])
    made.owner = self
    made.staysForModels = true
    settings.apply(to: made)
    if !settings.isQuiet { tellSaves(of: made) }
    parts[place] = made
    return made
  }

  private func makePart(_ store: Store) -> ObjectStore.ModelContext {
    switch home {
    case .actor(let actor): ObjectStore.ModelContext(store, at: actor)
    case .executor(let executor): ObjectStore.ModelContext(store, on: executor)
    }
  }

  /// Whether there is a place where work can be sent to the context.
  var isAtHome: Bool {
    if case .actor(nil) = home { false } else { true }
  }

  /// Makes an executor the context's home; nobody else may use the context yet.
  func confine(to executor: ContextExecutor) {
    home = .executor(executor)
    for part in madeParts { part.confine(to: executor) }
  }

  /// The context over the store of an entity.
  func part(of entity: String) throws(StoreError) -> ObjectStore.ModelContext {
    let store = try core.stores.store(of: entity)
    return part(core.stores.stores.firstIndex { $0 === store } ?? 0)
  }

  /// The context over the store of a class, after a check that the class is the one that the store is
  /// opened for.
  func part<Model: PersistentModel>(
    of type: Model.Type
  ) throws(StoreError) -> ObjectStore.ModelContext {
    let plan = type._$plan
    if let lately, lately.plan === plan { return lately.part }
    guard core.schema.plans[plan.entityName] === plan else {
      throw StoreError(
        .unknownEntity, plan.entityName,
        "is not a class that the container was made for",
        fix: "name \(_typeName(type)).self where the container is made")
    }
    let part = try part(of: plan.entityName)
    lately = (plan, part)
    return part
  }

  /// The contexts that are there.
  var madeParts: [ObjectStore.ModelContext] { parts.compactMap { $0 } }

  /// Contexts over all stores.
  var allParts: [ObjectStore.ModelContext] { parts.indices.map(part) }

  /// The model of an object, of the class that its entity has.
  func model(of object: ManagedObject) -> (any PersistentModel)? { core.model(of: object) }

  /// Does what may fail; keeps the failure for the next save.
  func keepingFailure(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      failures.append(
        (error as? StoreError) ?? StoreError(.blockFailed, "context", "failed: \(error)"))
    }
  }

  /// Throws what went wrong in calls that do not throw, and forgets it.
  func throwFailures() throws(StoreError) {
    var found = failures
    for case let part? in parts { found += part.takeChangeProblems() }
    if found.isEmpty { return }
    failures = []
    if let failure = StoreError(found, subject: "context") { throw failure }
  }
}
