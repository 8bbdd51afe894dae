public import Observation

/// Counts the transactions that matter to someone, as they arrive: of this process and of others.
///
/// ```swift
/// let observer = try HistoryObserver(container, entities: ["Flight"], authors: ["sync"])
/// for try await transaction in observer.transactions() { … }
/// ```
///
/// It belongs to the isolation that made it. On an actor it counts by itself, soon after each commit; where
/// there is no isolation, when it is asked. What is counted is read from history, so that nothing is counted
/// twice, or left out when it was committed while nobody looked.
public final class HistoryObserver: Observable {
  /// How many transactions are read at a time.
  static let pageMax = 256

  private let registrar = ObservationRegistrar()
  private let interest: HistoryInterest
  private let inboxes: [ChangeInbox]
  private var places: HistoryPlaces
  private var counted = 0
  private var failure: StoreError?
  private var isLooking = false

  /// Observes the stores of `container` from the places that `tokens` name on, or from now on where they
  /// name none; only transactions with changes to `entities` and to what inherits from them, or to any
  /// where there are none; only those of `authors`, or of all where there are none.
  ///
  /// Throws where a store's history after its token is not kept any more.
  public init(
    _ container: StoreContainer, tokens: [HistoryToken]? = nil, entities: Set<String> = [],
    authors: Set<String> = [], isolation: isolated (any Actor)? = #isolation
  ) throws {
    let handle = HistoryHandle(isolation)
    interest = HistoryInterest(entities: entities, authors: authors)
    inboxes = container.stores.map { store in
      let inbox = ChangeInbox { handle.send() }
      store.hub.add(inbox)
      store.watchOtherProcesses()
      return inbox
    }
    places = try HistoryPlaces(container.stores, after: tokens, interest)
    handle.observer = self
    look()
    if let failure { throw failure }
  }

  /// How many transactions that matter have arrived, those behind the tokens it began with included.
  public var eventCounter: Int {
    look()
    registrar.access(self, keyPath: \.eventCounter)
    return counted
  }

  /// The places up to which transactions are counted, one for each store: what to begin with next time.
  public var tokens: [HistoryToken] {
    look()
    registrar.access(self, keyPath: \.tokens)
    return places.tokens
  }

  /// Why history could not be read when it last should have been.
  ///
  /// Where what was to be read is not kept any more, that counts as one transaction, and counting
  /// goes on from the place that history had then.
  public var error: StoreError? {
    look()
    registrar.access(self, keyPath: \.error)
    return failure
  }

  /// The transactions that matter, with the changes that do: first those behind `tokens`, or where that is
  /// nil behind the places that are counted up to by now, then each as it is committed.
  ///
  /// Every reader has its own place in history: a slow one misses nothing, and costs no memory.
  public func transactions(after tokens: [HistoryToken]? = nil) -> HistoryTransactions {
    HistoryTransactions(
      stores: places.stores, tokens: tokens ?? places.tokens, interest: interest)
  }

  /// Counts what has arrived.
  fileprivate func look() {
    if isLooking { return }
    isLooking = true
    defer { isLooking = false }
    for (store, inbox) in zip(places.stores, inboxes) {
      // What cannot be read now is found out below.
      _ = try? store.receiveRemoteChanges()
      _ = inbox.takeAll()
    }
    var new = places
    var count = 0
    var problem: StoreError?
    do {
      while true {
        let found = try new.next(limit: Self.pageMax, holdsChanges: false)
        if found.isEmpty { break }
        count += found.count
      }
    } catch {
      let error = StoreError(unexpected: error, subject: "history")
      problem = error
      if error.code == .historyExpired,
        let now = try? HistoryPlaces(places.stores, after: nil, interest)
      {
        new = now
        count += 1
      }
    }
    if new.tokens != places.tokens {
      registrar.withMutation(of: self, keyPath: \.tokens) { places = new }
    }
    if problem != failure {
      registrar.withMutation(of: self, keyPath: \.error) { failure = problem }
    }
    if count > 0 {
      registrar.withMutation(of: self, keyPath: \.eventCounter) { counted += count }
    }
  }
}

@available(
  *, unavailable, message: "an observer stays where it was made; its transactions() may go anywhere"
)
extension HistoryObserver: @unchecked Sendable {}

/// A way to wake an observer up where it is at home.
///
/// `@unchecked Sendable`: the observer is set once, where it is made, and used only there; an observer that
/// is just being made looks by itself.
private final class HistoryHandle: @unchecked Sendable {
  weak var observer: HistoryObserver?
  private let home: ContextHome.WeakActor?

  init(_ isolation: (any Actor)?) { home = isolation.map(ContextHome.WeakActor.init) }

  func send() {
    guard let actor = home?.actor else { return }
    Task { await look(on: actor) }
  }

  private func look(on actor: isolated any Actor) { observer?.look() }
}

/// Which transactions matter.
struct HistoryInterest: Sendable, Hashable {
  var entities: Set<String>
  var authors: Set<String>

  func request(after token: HistoryToken, in store: Store, limit: Int) -> HistoryRequest {
    var request = HistoryRequest(after: .token(token))
    // With several stores, each has some of the entities.
    if !entities.isEmpty { request.entities = known(in: store) }
    if !authors.isEmpty { request.authors = authors }
    request.limit = limit
    return request
  }

  /// The entities that the store has.
  func known(in store: Store) -> Set<String> {
    entities.filter { store.layout.entity($0) != nil }
  }
}

/// A place in the history of each of several stores.
struct HistoryPlaces: Sendable {
  let stores: [Store]
  private(set) var tokens: [HistoryToken]
  private let interest: HistoryInterest

  init(_ stores: [Store], after tokens: [HistoryToken]?, _ interest: HistoryInterest) throws {
    self.stores = stores
    self.interest = interest
    for name in interest.entities where !stores.contains(where: { $0.layout.entity(name) != nil }) {
      throw StoreError.unknownEntity(
        name, among: stores.flatMap { $0.layout.entities.map(\.name) })
    }
    self.tokens = try stores.map { store in
      try tokens?.first { $0.store == store.identifier } ?? store.historyToken()
    }
  }

  /// The next transactions that matter, at most `limit` of each store; none where there are no more now.
  mutating func next(limit: Int, holdsChanges: Bool) throws -> [HistoryTransaction] {
    var found: [HistoryTransaction] = []
    for (place, store) in stores.enumerated() {
      // Read first: what comes between is either found below or does not matter.
      let newest = try store.historyToken()
      if newest.transaction == tokens[place].transaction { continue }
      let request = interest.request(after: tokens[place], in: store, limit: limit)
      let matters = request.entities?.isEmpty != true
      let news =
        !matters
        ? [] : holdsChanges ? try store.history(request) : try store.historyTransactions(request)
      found += news
      if news.count >= limit, let last = news.last {
        tokens[place] = last.token
      } else {
        tokens[place] = max(newest, news.last?.token ?? newest)
      }
    }
    return found
  }
}

/// Transactions as they are committed, each once and in order; see `HistoryObserver.transactions(after:)`.
public struct HistoryTransactions: AsyncSequence, Sendable {
  /// What is awaited.
  public typealias Element = HistoryTransaction
  /// Awaiting may fail.
  public typealias Failure = any Error

  let stores: [Store]
  let tokens: [HistoryToken]
  let interest: HistoryInterest

  /// An iterator with a place of its own in history.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// A reader with a place of its own.
  public final class Iterator: AsyncIteratorProtocol {
    /// How many transactions are in memory at most, with their changes.
    static let pageMax = 16

    private let sequence: HistoryTransactions
    private var places: HistoryPlaces?
    private var read: ArraySlice<HistoryTransaction> = []
    private let inboxes: [ChangeInbox]
    private var wakes: AsyncStream<Void>.Iterator

    init(_ sequence: HistoryTransactions) {
      self.sequence = sequence
      let (stream, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      wakes = stream.makeAsyncIterator()
      inboxes = sequence.stores.map { store in
        let inbox = ChangeInbox { continuation.yield() }
        store.hub.add(inbox)
        return inbox
      }
    }

    /// The next transaction; nil when the task is cancelled.
    ///
    /// Throws `historyExpired` where what comes next is not kept any more.
    public func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> HistoryTransaction? {
      while true {
        if let next = read.popFirst() { return next }
        for inbox in inboxes { _ = inbox.takeAll() }
        for store in sequence.stores { try store.receiveRemoteChanges() }
        var places =
          try self.places
          ?? HistoryPlaces(sequence.stores, after: sequence.tokens, sequence.interest)
        read = try places.next(limit: Self.pageMax, holdsChanges: true)[...]
        self.places = places
        if !read.isEmpty { continue }
        var wakes = wakes
        let isAwake: Void? = await wakes.next(isolation: actor)
        self.wakes = wakes
        if isAwake == nil { return nil }
      }
    }
  }
}
