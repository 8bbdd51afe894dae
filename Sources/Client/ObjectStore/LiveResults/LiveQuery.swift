import DataModel
import Foundation
import PredicateSQL

/// What is left to do in memory with the objects that a request finds: which of them are meant, in which
/// order.
public typealias ResultsRefining = ([ManagedObject]) throws -> [ManagedObject]

/// A fetch that stays: it notes what may have changed its results, looks again, and says what did change.
final class LiveQuery {
  /// How many objects at most are read with the list itself, so that all their values are of its moment.
  static let readWholeMax = 1000
  /// How often a look is tried again since others commit meanwhile.
  static let attemptsMax = 200
  /// How many of these are made without waiting for a writer that has committed and not told it yet.
  static let hastyAttempts = 8
  /// How long is waited then, in seconds.
  static let patience = 0.002

  /// What is asked for.
  struct Setup {
    var request: FetchRequest
    var sections: SectionMaking?
    /// What is left to do with what the request finds.
    var refine: ResultsRefining?

    /// The request with what makes sections as the first order.
    var effective: FetchRequest {
      guard case .property(let path, _) = sections else { return request }
      var request = request
      let expression = QueryExpression.property(path)
      let own = request.sort.first { $0.expression == expression }
      request.sort.removeAll { $0.expression == expression }
      request.sort.insert(own ?? QuerySort(expression), at: 0)
      return request
    }
  }

  /// What a look found out.
  struct Outcome {
    var rows: ResultRows
    var difference = ResultsDifference()
    var sectionsChanged = false
    var error: StoreError?
  }

  var setup: Setup {
    didSet {
      isReconfigured = true
      needsFetch = true
      context?.live?.schedule()
    }
  }
  private(set) var rows = ResultRows()
  private(set) var error: StoreError?
  private(set) var context: ModelContext?
  /// Called with each look that found something else than the one before.
  var publish: (LiveQuery, Outcome) -> Void = { _, _ in }

  /// How often the store was asked.
  private(set) var lookCount = 0

  private let source: () throws -> ModelContext
  private var dependencies: ResultsDependencies?
  private var isReconfigured = true
  private var needsFetch = true
  private var isRefreshing = false
  private var touchedKeys: Set<Int64> = []
  private var touchedObjects: [ObjectIdentifier: ManagedObject] = [:]
  private var isAllTouched = false
  /// What was touched when a look failed; the next one tells of it.
  private var missedKeys: Set<Int64>?

  init(_ setup: Setup, _ source: @escaping () throws -> ModelContext) {
    self.setup = setup
    self.source = source
  }

  /// Whether looking again may find something else.
  var wantsLook: Bool { isOutdated && !isRefreshing }

  private var isOutdated: Bool {
    needsFetch || isAllTouched || !touchedKeys.isEmpty || !touchedObjects.isEmpty
  }
}

// What changed.
extension LiveQuery {
  private var countsPending: Bool { setup.request.includesPendingChanges }

  /// Notes an object that is changed without a save; whether that matters.
  func notePending(_ object: ManagedObject) -> Bool {
    guard countsPending, let dependencies, dependencies.concerns(object.layout) else {
      return false
    }
    needsFetch = true
    if dependencies.root == object.layout.root {
      touchedObjects[ObjectIdentifier(object)] = object
    }
    return true
  }

  /// Notes what was committed.
  func note(_ changes: ChangeSet) {
    guard let dependencies else { return }
    if changes.isUnknown {
      needsFetch = true
      isAllTouched = true
      return
    }
    let isIn = { dependencies.numbers.contains($0) }
    if changes.insertedRuns.contains(where: { isIn($0.entity) })
      || changes.deletions.contains(where: { isIn($0.entity) })
    {
      needsFetch = true
    }
    for update in changes.updates where isIn(update.entity) {
      if dependencies.mayReorder(update) { needsFetch = true }
      if dependencies.own.contains(update.entity), !isKnown(update, changes) {
        touchedKeys.insert(update.key)
      }
    }
  }

  /// Whether the context's own save wrote what was there before the save already.
  private func isKnown(_ update: ChangeSet.Update, _ changes: ChangeSet) -> Bool {
    guard countsPending, changes.origin == .thisContext, let context,
      let layout = context.store.layout.entity(number: update.entity),
      let object = context.registered(update.key, layout)
    else { return false }
    return !object.isFault
  }
}

// Looking again.
extension LiveQuery {
  /// Looks again where that may find something else.
  func refreshIfOutdated() {
    // Nobody can be sent there to take in what others commit.
    if let context, !context.handle.isReachable, context.readConnection == nil {
      context.receiveChanges()
    }
    if wantsLook { refresh() }
  }

  /// Looks again and publishes what differs; after an error the last good results stay.
  func refresh() {
    if isRefreshing { return }
    isRefreshing = true
    let outcome = look()
    isRefreshing = false
    guard let outcome else { return }
    rows = outcome.rows
    error = outcome.error
    publish(self, outcome)
  }

  /// What a look finds; nil where it is what was there.
  private func look() -> Outcome? {
    do {
      let context = try connected()
      guard let fetched = try settled(context) else { return nil }
      let outcome = compare(fetched, context)
      return outcome.difference.isEmpty && !outcome.sectionsChanged && error == nil ? nil : outcome
    } catch {
      let failure = StoreError(unexpected: error, subject: setup.request.entity)
      if failure == self.error { return nil }
      return Outcome(rows: rows, error: failure)
    }
  }

  /// The context, and what the request depends on in its store.
  private func connected() throws -> ModelContext {
    if let context {
      if isReconfigured { try depend(context) }
      return context
    }
    let found = try source()
    try depend(found)
    context = found
    found.addLive(self)
    found.store.watchOtherProcesses()
    return found
  }

  private func depend(_ context: ModelContext) throws {
    do {
      var reach = ResultsDependencies.Reach.named
      if case .computed = setup.sections { reach = .ownObjects }
      if setup.refine != nil { reach = .everything }
      dependencies = try ResultsDependencies(setup.effective, context.store.layout, reach)
      isReconfigured = false
    } catch {
      // The next change of the request is the next chance.
      needsFetch = false
      throw error
    }
  }

  private struct Fetched {
    var rows: ResultRows
    var touchedKeys: Set<Int64> = []
    var touchedObjects: [ObjectIdentifier: ManagedObject] = [:]
    var isAllTouched = false
  }

  /// Fetches at a moment that the context's objects have been brought up to, neither earlier nor later.
  private func settled(_ context: ModelContext) throws -> Fetched? {
    if context.readConnection != nil {
      // The moment was chosen by the caller; another look follows after it.
      return try fetchAndComeBack(context)
    }
    for attempt in 1..<Self.attemptsMax {
      let known = context.store.remote.lastPublished
      context.receiveChanges()
      if !isOutdated { return nil }
      let fetched = try context.reading { () -> Fetched? in
        let newest = try context.read { try HistoryBounds.read($0).newest }
        return known == nil || known == newest ? try fetch(context) : nil
      }
      if let fetched { return fetched }
      if attempt > Self.hastyAttempts { Thread.sleep(forTimeInterval: Self.patience) }
    }
    // Others commit without a pause. What is found may be newer than objects in memory; these follow
    // with the next look.
    return try fetchAndComeBack(context)
  }

  private func fetchAndComeBack(_ context: ModelContext) throws -> Fetched {
    let fetched = try fetch(context)
    needsFetch = true
    context.live?.schedule()
    return fetched
  }

  private func fetch(_ context: ModelContext) throws -> Fetched {
    let isFetching = needsFetch || missedKeys != nil
    var fetched = Fetched(rows: rows)
    swap(&fetched.touchedKeys, &touchedKeys)
    swap(&fetched.touchedObjects, &touchedObjects)
    swap(&fetched.isAllTouched, &isAllTouched)
    needsFetch = false
    do {
      if isFetching { fetched.rows = try newRows(context) }
      try readWhole(fetched.rows, context)
    } catch {
      missedKeys = (missedKeys ?? []).union(fetched.touchedKeys)
        .union(fetched.touchedObjects.values.map(\.key))
      throw error
    }
    fetched.touchedKeys.formUnion(missedKeys ?? [])
    missedKeys = nil
    return fetched
  }

  private func newRows(_ context: ModelContext) throws -> ResultRows {
    lookCount += 1
    let request = setup.effective
    let layout = try context.layout(request.entity)
    guard let making = setup.sections else {
      let found = try entries(request, titleSlot: nil, context)
      return ResultRows(found.entries, nil, held: found.held, context)
    }
    var grouping = SectionGrouping()
    var found: FetchedEntries
    switch making {
    case .property(let path, let title):
      let slot = layout.slot(path).filter { layout.slots[$0].attribute != nil }
        .filter { layout.slots[$0].column != nil && layout.slots[$0].kind != .bytes }
      found = try entries(request, titleSlot: slot, context)
      var last: FieldValue?
      for place in found.entries.indices {
        let value =
          slot == nil
          ? try context.sectionValue(found.entries[place], path, request)
          : found.titles[place]
        if value == last {
          grouping.appendAgain()
        } else {
          grouping.append(title(value))
        }
        last = value
      }
    case .computed(let title):
      found = try entries(request, titleSlot: nil, context)
      let objects = found.entries.map(context.object)
      try context.read(objects.filter { $0.isFault && $0.key > 0 })
      for object in objects { grouping.append(title(object)) }
      for object in objects { found.held[object.key] = object }
    }
    let (entries, sections) = grouping.grouped(found.entries)
    return ResultRows(entries, sections, held: found.held, context)
  }

  /// What the request finds, with what is left to do with that done.
  private func entries(
    _ request: FetchRequest, titleSlot: Int?, _ context: ModelContext
  ) throws -> FetchedEntries {
    let found = try context.fetchEntries(request, titleSlot: titleSlot)
    guard let refine = setup.refine else { return found }
    let objects = found.entries.map { found.held[$0.key] ?? context.object($0) }
    try context.read(objects.filter { $0.isFault && $0.key > 0 })
    var refined = FetchedEntries()
    for object in try refine(objects) {
      refined.append(object, titleSlot)
      refined.held[object.key] = object
    }
    return refined
  }

  /// Reads the objects of a short list.
  private func readWhole(_ rows: ResultRows, _ context: ModelContext) throws {
    if rows.entries.count > Self.readWholeMax { return }
    let objects = rows.entries.indices.map(rows.object)
    try context.read(objects.filter { $0.isFault && $0.state == .clean })
  }
}

extension ModelContext {
  /// The value at the end of a path from an object.
  fileprivate func sectionValue(
    _ entry: ResultEntry, _ path: String, _ request: FetchRequest
  ) throws(StoreError) -> FieldValue {
    do throws(QueryProblem) {
      return try QueryExpression.property(path).value(for: object(entry))
    } catch {
      throw StoreError(error, request.entity)
    }
  }
}

// What differs.
extension LiveQuery {
  private func compare(_ fetched: Fetched, _ context: ModelContext) -> Outcome {
    let (store, new) = (context.store, fetched.rows)
    var difference = ResultsDifference()
    var updatedKeys = fetched.touchedKeys
    for object in fetched.touchedObjects.values { updatedKeys.insert(object.key) }
    if new !== rows {
      var old = rows.entries
      rename(&old, &difference, store)
      let keys = KeyDifference(old.map(\.key), new.entries.map(\.key))
      difference.removed = keys.removed.map {
        ResultsDifference.Place(rows.identity(old[$0], in: store), at: $0)
      }
      difference.inserted = keys.inserted.map {
        ResultsDifference.Place(new.identity($0, in: store), at: $0)
      }
      difference.moved = keys.moved.map {
        ResultsDifference.Move(new.identity($0.to, in: store), from: $0.from, to: $0.to)
      }
      new.keep(rows.held.values, except: Set(keys.removed.map { old[$0].key }))
    }
    if fetched.isAllTouched || !updatedKeys.isEmpty {
      let arrived = Set(difference.inserted.map(\.index))
      for (place, entry) in new.entries.enumerated()
      where fetched.isAllTouched || updatedKeys.contains(entry.key) {
        if arrived.contains(place) { continue }
        difference.updated.append(
          ResultsDifference.Place(new.identity(place, in: store), at: place))
      }
    }
    return Outcome(
      rows: new, difference: difference, sectionsChanged: new.sections != rows.sections)
  }

  /// Gives new objects of the older list that were saved since the keys that they have now.
  private func rename(
    _ old: inout [ResultEntry], _ difference: inout ResultsDifference, _ store: Store
  ) {
    guard old.contains(where: { $0.key < 0 }) else { return }
    let keys = Set(old.map(\.key))
    for place in old.indices where old[place].key < 0 {
      guard let object = rows.held[old[place].key], object.key > 0, !keys.contains(object.key)
      else { continue }
      let before = rows.identity(old[place], in: store)
      old[place].key = object.key
      difference.saved.append(
        ResultsDifference.Saved(old: before, new: rows.identity(old[place], in: store)))
    }
  }
}

extension Optional {
  fileprivate func filter(_ isWanted: (Wrapped) -> Bool) -> Wrapped? {
    flatMap { isWanted($0) ? $0 : nil }
  }
}
