/// The live results of one context: tells them what changed, and has them look again.
final class LiveChanges {
  /// How often results that become outdated while others look are looked at in one go.
  static let roundsMax = 16

  private unowned let context: ModelContext
  private var queries: [Weak] = []
  private var isScheduled = false
  private var isSettling = false

  private struct Weak {
    weak var query: LiveQuery?
  }

  init(_ context: ModelContext) { self.context = context }

  func add(_ query: LiveQuery) {
    queries.removeAll { $0.query == nil }
    queries.append(Weak(query: query))
  }

  /// What was committed, after the context's objects were brought up to it.
  func received(_ arrived: [ChangeSet]) {
    for weak in queries {
      guard let query = weak.query else { continue }
      for changes in arrived { query.note(changes) }
    }
  }

  /// An object is about to change, to be inserted or to be deleted, without a save.
  func willChange(_ object: ManagedObject) {
    var isOutdated = false
    for weak in queries where weak.query?.notePending(object) == true { isOutdated = true }
    if isOutdated { schedule() }
  }

  func didRollBack() {
    for object in context.updated + context.deleted { willChange(object) }
    for object in context.inserted { willChange(object) }
  }

  /// Has outdated results look again soon, where the context is at home anywhere.
  func schedule() {
    if isScheduled || !context.handle.isReachable { return }
    isScheduled = true
    context.handle.send { context in
      guard let live = context.live else { return }
      live.isScheduled = false
      live.settle()
    }
  }

  /// Has outdated results look again.
  func settle() {
    if isSettling { return }
    // What is read within `reading` is of one moment, which may be past.
    if context.readConnection != nil { return scheduleIfOutdated() }
    isSettling = true
    for _ in 0..<Self.roundsMax {
      let outdated = queries.compactMap(\.query).filter(\.wantsLook)
      if outdated.isEmpty { break }
      for query in outdated { query.refresh() }
    }
    isSettling = false
    scheduleIfOutdated()
  }

  private func scheduleIfOutdated() {
    if queries.contains(where: { $0.query?.wantsLook == true }) { schedule() }
  }
}

extension ModelContext {
  /// Tells `query` of changes from now on.
  func addLive(_ query: LiveQuery) {
    // What was committed before is taken in by the query's first fetch.
    let live = live ?? LiveChanges(self)
    self.live = live
    live.add(query)
    inbox.wantsOwn = true
    watch { $0.live = live }
  }
}
