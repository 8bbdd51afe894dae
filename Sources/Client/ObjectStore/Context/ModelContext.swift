import DataModel
import SQLiteDriver

/// A working copy of a store's objects: what is read through it and changed in it, until it is saved.
///
/// ```swift
/// let context = ModelContext(store)
/// let entry = try context.insert("LogEntry")
/// try entry.setValue("tailNumber", .string("N628TS"))
/// try context.save()
/// ```
///
/// A context and its objects belong to the isolation that made them, so neither is `Sendable`. For one
/// identity there is one object at a time.
public final class ModelContext {
  /// The store that the context reads and writes.
  public let store: Store
  /// Who makes the changes, as history notes down.
  public var author: String?
  /// What happens when the store was changed meanwhile.
  public var mergePolicy = MergePolicy.error
  /// Whether what is saved is checked against the schema's rules, and deletions follow its delete rules; not
  /// where all of it is taken over as it is.
  package var isValidating = true
  /// What happens when a new object has what is unique about one that the store has.
  public var uniquePolicy = UniquePolicy.upsert
  /// What could not be read when a property was, the newest last, and what was set and cannot be encoded, which keeps
  /// the next save from being done; see `takeProblems()`.
  public var problems: [StoreError] {
    let refused = refusals
    return notedProblems + refused
  }
  var notedProblems: [StoreError] = []
  /// How many problems are kept.
  public static let problemsMax = 100

  /// Whoever made the context as a part of its own; it keeps the context, not the other way round.
  public weak var owner: AnyObject?
  /// Whether models keep the context, whose owner then tells it that it goes: see `ownerIsGone()`.
  @exclusivity(unchecked) public var staysForModels = false
  /// Guards what models and the context know of each other: a model may go on any thread.
  let modelLock = BriefLock()
  /// How many objects keep the context; counted here, since a reference from each would cost more.
  @exclusivity(unchecked) private var holderCount = 0
  /// The context itself, while any object keeps it.
  @exclusivity(unchecked) private var heldByObjects: ModelContext?
  /// Whether nobody is left who could save what changes.
  var keepsNoChanges = false
  /// Finds out whether reads are observed.
  ///
  /// The context owns it: `renewProbe` and `deinit` release what they no longer need.
  @exclusivity(unchecked) var probeReference = Unmanaged.passRetained(ObservationProbe())
  /// Called with each problem as it is noted, on the context's isolation.
  public var onProblem: ((StoreError) -> Void)?

  let inbox: ChangeInbox
  /// What may be held of the context anywhere.
  let handle: ContextHandle
  /// Who made a context without isolation; known for debugging only.
  let madeBy: ConcurrencyDebug.Runner?
  /// Who is told of every change; nil unless undo or autosave is on.
  @exclusivity(unchecked) var watcher: ChangeWatcher?
  var listeners: ContextListeners?
  /// The results that are kept up to date; nil while there are none.
  var live: LiveChanges?
  @exclusivity(unchecked) var identities: [IdentityTableBox]
  /// Objects with changes, each once, in the order in which they were first changed; those whose
  /// state says otherwise by now are passed over.
  @exclusivity(unchecked) var inserted: [ManagedObject] = []
  @exclusivity(unchecked) var updated: [ManagedObject] = []
  var deleted: [ManagedObject] = []
  @exclusivity(unchecked) var changedCount = 0
  /// Pairs of related objects that were made or undone, by table.
  var pairChanges = PairChanges()
  /// Batch deletes that the next save does.
  var pendingDeletions: [PendingDeletion] = []
  /// Objects whose lists of related objects have changes to settle after a save.
  var withRelatedChanges: [ManagedObject] = []
  /// Objects that must stay in memory until the next save, since what refers to them has changed.
  var keptUntilSaved: [ManagedObject] = []
  /// Changed lists of objects that became faults meanwhile: they are put back when the values are read.
  var keptLists: [ObjectIdentifier: [(slot: Int, list: RelatedObjects)]] = [:]
  /// Objects with changes that others have changed as well.
  var overtaken: [ManagedObject] = []
  /// Whether an object was deleted, here or by others, since there are changes: lists in memory may
  /// have it as a member still.
  var hasDeletions = false
  /// Whether something refers to what may be gone: the next save asks the store.
  var hasUnsureReferences = false
  /// What was set in deleted objects, and would be lost: the properties' names, by the object's place.
  var vainChanges: [VainPlace: Set<String>] = [:]

  /// Whose change is lost.
  struct VainPlace: Hashable {
    let root: Int
    let key: Int64

    init(_ object: ManagedObject) {
      root = object.layout.root
      key = object.key
    }
  }
  /// Whether others have committed something since an object was marked to be deleted: they may have related others
  /// to it.
  var isDeletionOvertaken = false
  /// Objects that no identity table has any more, so that they too can be told when the context goes.
  var outsideTables: [WeakObject] = []
  /// Objects of which somebody has read something that is to be told of.
  var observed = ObservedObjects()
  /// Lists of related objects that were read earlier are read again.
  var generation = 1
  /// Objects that were read or used lately; see `RecentObjects`.
  var recent = RecentObjects()
  /// The layout that an object was last inserted with, and the store's.
  @exclusivity(unchecked) private var adopted: (from: EntityLayout, to: EntityLayout)?
  /// The connection of the read transaction that `reading` has open.
  @exclusivity(unchecked) var readConnection: Connection?
  /// Objects of relationships that the last fetch read at once.
  var prefetched: [ManagedObject] = []
  /// Faults that were handed out together, and so are likely to be read together.
  var faultBatch = FaultBatch()

  /// Makes a context over `store`, at home in the isolation of the caller.
  ///
  /// On an actor it takes in by itself what others commit, soon after each commit. Where there is no
  /// isolation it does so with each fetch and save. A context that goes away drops what was not saved.
  public convenience init(
    _ store: Store, isolation: isolated (any Actor)? = #isolation
  ) {
    let home = isolation.map { ContextHome.actor(ContextHome.WeakActor($0)) }
    self.init(store, home: home ?? .none)
  }

  /// Makes a context over `store` that is at home on `actor`, or nowhere.
  ///
  /// Whoever calls this says so for the isolation that it is in itself.
  public convenience init(_ store: Store, at actor: (any Actor)?) {
    self.init(store, home: actor.map { .actor(ContextHome.WeakActor($0)) } ?? .none)
  }

  init(_ store: Store, home: ContextHome) {
    self.store = store
    let handle = ContextHandle(home)
    self.handle = handle
    madeBy = ConcurrencyDebug.isOn ? .current : nil
    inbox = ChangeInbox { handle.send { $0.receiveChanges() } }
    identities = store.layout.entities.map { _ in IdentityTableBox() }
    handle.context = self
    store.hub.add(inbox)
  }

  deinit {
    probeReference.release()
    recent.removeAll()
    for outside in outsideTables { outside.object?.context = nil }
    for box in identities { for object in box.all { object.context = nil } }
    for object in inserted + updated + deleted { object.keptModel = nil }
    for object in inserted {
      object.context = nil
      object.releaseHeldObjects()
    }
  }
}

extension ModelContext {
  /// Counts an object that keeps the context; `modelLock` is held.
  @inline(__always)
  func gainHolder() {
    holderCount += 1
    if holderCount == 1 { heldByObjects = self }
  }

  /// Counts one no more that did; with the last one the context goes, where nobody else keeps it.
  @inline(__always)
  func loseHolder() {
    let last = modelLock.withLock { () -> ModelContext? in
      holderCount -= 1
      return holderCount == 0 ? heldByObjects.take() : nil
    }
    // Not while its own lock is held.
    _ = consume last
  }

  /// Says that whoever made the context has gone: from now on it is there for models that are still held,
  /// whose values it reads, and it goes with the last of them.
  ///
  /// Changes that are not saved are dropped, unless they are about to be saved by themselves.
  public func ownerIsGone() {
    recent.removeAll()
    faultBatch = FaultBatch()
    prefetched = []
    if watcher?.autosave?.isWaiting != true { letGoOfChanges() }
  }

  /// Keeps no model any more for changes that nobody will save.
  func letGoOfChanges() {
    keepsNoChanges = watcher?.autosave == nil
    for object in inserted + updated + deleted { object.keptModel = nil }
    let new = inserted.filter { $0.context === self }
    inserted = []
    for object in new {
      forget(object)
      object.context = nil
      object.releaseHeldObjects()
    }
  }

  /// The model to keep while its object has changes.
  func modelToKeep(_ object: ManagedObject) -> AnyObject? { keepsNoChanges ? nil : object.model }
}

/// An object that is in no identity table any more and still has its context, if it is there.
struct WeakObject {
  weak var object: ManagedObject?
}

extension ModelContext {
  /// Whether there is anything to save.
  public var hasChanges: Bool {
    changedCount > 0 || !pairChanges.isEmpty || !pendingDeletions.isEmpty
  }

  /// The objects that the next save inserts.
  public var insertedObjects: [ManagedObject] { inserted.filter { $0.state == .inserted } }
  /// The objects that the next save updates.
  public var updatedObjects: [ManagedObject] { updated.filter { $0.state == .updated } }
  /// The objects that the next save deletes.
  public var deletedObjects: [ManagedObject] { deleted.filter { $0.state == .deleted } }

  /// Takes the problems that reading properties met; a getter cannot throw.
  ///
  /// What was set and cannot be encoded is among them each time, until it is set anew.
  public func takeProblems() -> [StoreError] {
    defer {
      notedProblems = []
      vainChanges = [:]
    }
    return problems
  }

  /// Takes the problems of calls that were to change something; those of reading stay.
  public func takeChangeProblems() -> [StoreError] {
    let found = problems.filter { Self.changeCodes.contains($0.code) }
    if !found.isEmpty { notedProblems.removeAll { Self.changeCodes.contains($0.code) } }
    vainChanges = [:]
    return found
  }

  private static let changeCodes: Set<StoreError.Code> = [
    .otherContext, .crossesStores, .unknownEntity, .abstractEntity, .unwritableValue,
    .deletedObject,
  ]

  /// Keeps a problem for whoever asks for it, once.
  public func report(_ problem: StoreError) {
    if !notedProblems.contains(problem) { note(problem) }
  }

  func note(_ problem: StoreError) {
    if notedProblems.count >= Self.problemsMax { notedProblems.removeFirst() }
    notedProblems.append(problem)
    onProblem?(problem)
  }
}

extension ModelContext {
  /// Makes a new object of `entity`, to be inserted at the next save.
  @discardableResult
  public func insert(_ entity: String) throws(StoreError) -> ManagedObject {
    let object = ManagedObject(new: try layout(entity))
    try insert(object)
    return object
  }

  /// Makes `object` one to be inserted at the next save, and with it every new object that it refers
  /// to.
  ///
  /// Takes back a deletion that is not saved yet; what is deleted already becomes a new object.
  public func insert(_ object: ManagedObject) throws(StoreError) {
    checkAccess("inserting \(object.entity)")
    if object.context === self {
      switch object.state {
      case .deleted: revive(object)
      case .gone:
        inserted.removeAll { $0 === object }
        insertAgain(object)
      default: break
      }
      return
    }
    guard object.state == .detached else { throw .otherContext(object.entity) }
    var waiting = [object]
    while let next = waiting.popLast() {
      guard next.context == nil, next.state == .detached else { continue }
      try adopt(next)
      waiting += next.heldObjects
    }
  }

  private func adopt(_ object: ManagedObject) throws(StoreError) {
    let layout = try layout(adopting: object.layout)
    object.layout = layout
    object.context = self
    object.state = .inserted
    object.keptModel = modelToKeep(object)
    changedCount += 1
    inserted.append(object)
    identities[layout.root].insert(object, object.key)
    object.settleHeldObjects(in: self)
    watcher?.didInsert(object)
  }

  /// The store's layout of the entity that `other` lays out; remembers the last answer, since objects
  /// of one kind are often inserted one after the other.
  private func layout(adopting other: EntityLayout) throws(StoreError) -> EntityLayout {
    if let adopted, adopted.from === other { return adopted.to }
    let layout = try layout(other.name)
    if layout.schema.isAbstract {
      throw StoreError(
        .abstractEntity, layout.name, "is abstract, so it has no objects of its own",
        fix: "insert an object of an entity that inherits from it")
    }
    guard layout === other || layout.hasSameSlots(as: other) else {
      throw StoreError(
        .unknownEntity, layout.name, "has other properties in the store than in the program",
        fix: "open the store with the program's schema")
    }
    adopted = (other, layout)
    return layout
  }

  /// The layout of an entity that the store has.
  func layout(_ entity: String) throws(StoreError) -> EntityLayout {
    guard let layout = store.layout.entity(entity) else {
      throw .unknownEntity(entity, among: store.layout.entities.map(\.name))
    }
    return layout
  }

  /// An object that lives no longer takes itself out.
  func forget(_ object: ManagedObject) {
    identities[object.layout.root].remove(object, object.key)
  }

  /// The object with `key` of the hierarchy of `layout`: the one in memory, or a fault.
  func object(_ key: Int64, _ layout: EntityLayout) -> ManagedObject {
    if let known = identities[layout.root][key] {
      // Met again as something more special than it was met as first.
      if known.isFault && known.original == nil && known.layout !== layout
        && known.layout.family.contains(layout.index)
      {
        known.layout = layout
      }
      return known
    }
    let object = ManagedObject(stored: layout, key: key, context: self)
    identities[layout.root].insert(object, key)
    recent.add(object)
    return object
  }

  /// The object that a relationship leads to; nil for a key that no object can have any more.
  func related(_ key: Int64, _ destination: Int) -> ManagedObject? {
    let layout = store.layout.entities[destination]
    let found = key > 0 ? object(key, layout) : registered(key, layout)
    // A damaged file may name an object of another entity: its slots are others.
    guard let found, found.isFault || layout.family.contains(found.layout.index) else {
      return nil
    }
    return found
  }

  /// The object with `key` when it is in memory.
  func registered(_ key: Int64, _ layout: EntityLayout) -> ManagedObject? {
    identities[layout.root][key]
  }
}

extension EntityLayout {
  /// Whether a row made for `other` is a row of this layout.
  func hasSameSlots(as other: EntityLayout) -> Bool {
    slots.count == other.slots.count
      && zip(slots, other.slots).allSatisfy { $0.name == $1.name && $0.kind == $1.kind }
      && keptPlaces == other.keptPlaces
  }
}

/// Keeps the objects that were used lately in memory, so that going back and forth between related
/// objects does not read them again and again.
struct RecentObjects {
  /// How many objects are kept.
  static let countMax = 2048

  private var objects: [ManagedObject] = []
  private var next = 0

  mutating func add(_ object: ManagedObject) {
    if objects.count < Self.countMax {
      objects.append(object)
    } else {
      objects[next] = object
      next = (next + 1) % Self.countMax
    }
  }

  mutating func removeAll() {
    objects = []
    next = 0
  }
}
