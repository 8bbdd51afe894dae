import Dispatch
import Foundation
import SQLiteDriver
internal import Synchronization

/// Keeps a store's search index up to its history.
///
/// The index is a reader of history: it takes in changes in small transactions of its own, behind the
/// commits, so that saving never waits for it, and what it has not read is not purged. A search brings it
/// up by itself; `Store.followWithSearchIndex()` makes it keep up with each commit. It can be stopped, or killed, at any
/// moment: the index and the place that it has reached are written together.
///
/// ```swift
/// store.followWithSearchIndex()
/// ```
public final class SearchIndexer: Sendable {
  /// How long others may go first between two batches, in seconds.
  private static let pauseSeconds = 0.0005

  private let plan: SearchPlan
  private let following = Mutex<ChangeInbox?>(nil)
  private let lastFailure = Mutex<StoreError?>(nil)
  private let queue = DispatchQueue(label: "contrail.search", qos: .utility)

  init(_ layout: StoreLayout) { plan = SearchPlan(layout) }

  /// What went wrong when the index last tried to keep up with commits; nil when nothing did.
  public var failure: StoreError? { lastFailure.withLock { $0 } }

  var searchPlan: SearchPlan { plan }

  /// Whether the index has all that was committed.
  func isCurrent(_ connection: Connection) throws(SQLiteError) -> Bool {
    let position = try SearchPosition.read(connection)
    if plan.isEmpty { return position == nil }
    guard let position, position.signature == plan.signature, position.filling == nil else {
      return false
    }
    return try SearchPosition.lastChange(connection) == position.change
  }
}

extension SearchIndexer {
  /// Takes in what was committed; `batches` limits how much.
  ///
  /// Returns whether nothing is left.
  @discardableResult
  func catchUp(_ store: Store, batches: Int = .max) throws -> Bool {
    if try store.read(isCurrent) { return true }
    let index = plan
    for number in 0..<batches {
      // Behind the gate's lock only for one batch.
      if number > 0 { Thread.sleep(forTimeInterval: Self.pauseSeconds) }
      let isMore = try store.maintain { connection in
        try connection.transaction { () throws(SQLiteError) in
          try SearchIndex(plan: index, connection: connection).advance(
            time: store.environment.now().timeIntervalSinceReferenceDate)
        }
      }
      if !isMore { return true }
    }
    return false
  }

  /// Makes a new index from the objects.
  func rebuild(_ store: Store) throws {
    guard !plan.isEmpty else { return }
    let index = plan
    try store.maintain { connection in
      try connection.transaction { () throws(SQLiteError) in
        try SearchIndex(plan: index, connection: connection).begin(
          time: store.environment.now().timeIntervalSinceReferenceDate)
      }
    }
    try catchUp(store)
  }

  func follow(_ store: Store) {
    if plan.isEmpty { return }
    following.withLock { inbox in
      guard inbox == nil else { return }
      let made = ChangeInbox { [weak self, weak store] in
        guard let self, let store else { return }
        self.queue.async { self.keepUp(store) }
      }
      inbox = made
      store.hub.add(made)
    }
    queue.async { [weak store] in
      if let store { self.keepUp(store) }
    }
  }

  /// Stops keeping up with commits; searching still brings the index up.
  public func stop() { following.withLock { $0 = nil } }

  /// Waits until what has been committed so far is in the index, or has failed to be; only while it
  /// keeps up with commits.
  func waitForQueue() { queue.sync {} }

  private func keepUp(_ store: Store) {
    // Emptied first, so that what arrives from now on wakes us again.
    guard let inbox = following.withLock({ $0 }) else { return }
    _ = inbox.takeAll()
    do {
      try catchUp(store)
      lastFailure.withLock { $0 = nil }
    } catch {
      let failure = (error as? StoreError) ?? StoreError(.writeFailed, "search", "\(error)")
      lastFailure.withLock { $0 = failure }
    }
  }
}

extension Store {
  /// Has the search index keep up with every commit, in the background, instead of at the next search.
  public func followWithSearchIndex() { searchIndexer.follow(self) }

  /// Brings the search index up to the last commit.
  public func updateSearchIndex() throws { try searchIndexer.catchUp(self) }

  /// Makes the search index anew, from the objects.
  public func rebuildSearchIndex() throws { try searchIndexer.rebuild(self) }
}
