/// What `onChanges` and its kin return: listening ends with `cancel()`, or with the context.
public final class ContextListener {
  fileprivate weak var listeners: ContextListeners?
  fileprivate let number: Int

  fileprivate init(_ listeners: ContextListeners, _ number: Int) {
    self.listeners = listeners
    self.number = number
  }

  /// Ends listening.
  public func cancel() { listeners?.remove(number) }
}

/// Who listens to a context.
final class ContextListeners {
  private var changes: [(number: Int, body: (ContextChange) -> Void)] = []
  private var didSave: [(number: Int, body: (ContextChange) -> Void)] = []
  private var willSave: [(number: Int, body: (ModelContext) throws -> Void)] = []
  private var saveEnd: [(number: Int, body: (Bool) -> Void)] = []
  private var streams: [Int: AsyncStream<ContextChange>.Continuation] = [:]
  private var last = 0
  /// What was taken in and not told yet: a listener may itself make the context take in more.
  private var untold: [ContextChange] = []
  private var isTelling = false

  deinit { for stream in streams.values { stream.finish() } }

  var wantsChanges: Bool { !changes.isEmpty || !didSave.isEmpty }

  func addChanges(_ body: @escaping (ContextChange) -> Void) -> ContextListener {
    changes.append((next(), body))
    return ContextListener(self, last)
  }

  func addDidSave(_ body: @escaping (ContextChange) -> Void) -> ContextListener {
    didSave.append((next(), body))
    return ContextListener(self, last)
  }

  func addWillSave(_ body: @escaping (ModelContext) throws -> Void) -> ContextListener {
    willSave.append((next(), body))
    return ContextListener(self, last)
  }

  func addSaveEnd(_ body: @escaping (Bool) -> Void) -> ContextListener {
    saveEnd.append((next(), body))
    return ContextListener(self, last)
  }

  func addStream(_ continuation: AsyncStream<ContextChange>.Continuation) -> ContextListener {
    let number = next()
    streams[number] = continuation
    changes.append(
      (
        number,
        { [unowned self] change in
          switch continuation.yield(change) {
          case .dropped: continuation.yield(change.incomplete)
          case .terminated: remove(number)
          default: break
          }
        }
      ))
    return ContextListener(self, number)
  }

  private func next() -> Int {
    last += 1
    return last
  }

  func remove(_ number: Int) {
    changes.removeAll { $0.number == number }
    didSave.removeAll { $0.number == number }
    willSave.removeAll { $0.number == number }
    saveEnd.removeAll { $0.number == number }
    streams.removeValue(forKey: number)?.finish()
  }

  func tellWillSave(_ context: ModelContext) throws {
    for listener in willSave { try listener.body(context) }
  }

  func tellSaveEnd(didSave: Bool) { for listener in saveEnd { listener.body(didSave) } }

  /// Tells everyone of `arrived`, in order, after what is being told already.
  func tell(_ arrived: [ContextChange]) {
    if untold.isEmpty { untold = arrived } else { untold += arrived }
    if isTelling { return }
    isTelling = true
    defer { isTelling = false }
    var place = 0
    while place < untold.count {
      let change = untold[place]
      place += 1
      for listener in changes { listener.body(change) }
      guard change.origin == .thisContext else { continue }
      for listener in didSave { listener.body(change) }
    }
    untold.removeAll()
  }
}

extension ModelContext {
  /// How many changes a stream keeps for a reader that is slow.
  public static let streamedChangesMax = 4096

  /// Calls `body` for every transaction that is committed from now on, by this context and by others, in
  /// the order of the commits, after the context's objects are brought up to it.
  ///
  /// It is called where the context is at home: soon after the commit where the context was made on an
  /// actor or belongs to a `BackgroundContext`, else with the next fetch or save. No lock of the store is
  /// held, so `body` may fetch and save.
  @discardableResult
  public func onChanges(_ body: @escaping (ContextChange) -> Void) -> ContextListener {
    listen { $0.addChanges(body) }
  }

  /// Calls `body` after every save of this context that changed something.
  @discardableResult
  public func onDidSave(_ body: @escaping (ContextChange) -> Void) -> ContextListener {
    listen { $0.addDidSave(body) }
  }

  /// Calls `body` before every save that has something to write; it may change more, and what it throws
  /// keeps the save from happening.
  @discardableResult
  public func onWillSave(
    _ body: @escaping (ModelContext) throws -> Void
  ) -> ContextListener {
    listen { $0.addWillSave(body) }
  }

  /// Calls `body` at the end of every save of which `onWillSave` tells, before anybody is told of what changed;
  /// with whether it was written.
  @discardableResult
  package func onSaveEnd(_ body: @escaping (Bool) -> Void) -> ContextListener {
    listen { $0.addSaveEnd(body) }
  }

  /// What `onChanges` tells, as a sequence.
  ///
  /// A reader that falls behind by more than `streamedChangesMax` misses the oldest; the next one it
  /// reads has `isComplete` false then.
  public func changes() -> AsyncStream<ContextChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ContextChange.self, bufferingPolicy: .bufferingNewest(Self.streamedChangesMax))
    listen { $0.addStream(continuation) }
    return stream
  }

  @discardableResult
  private func listen(_ add: (ContextListeners) -> ContextListener) -> ContextListener {
    let listeners = listeners ?? ContextListeners()
    self.listeners = listeners
    defer { inbox.wantsOwn = listeners.wantsChanges || live != nil }
    // What was committed before is not told.
    receiveChanges()
    return add(listeners)
  }

  func tellListeners(_ arrived: [ChangeSet]) {
    guard let listeners, listeners.wantsChanges else { return }
    listeners.tell(arrived.map { ContextChange($0, store) })
  }
}
