import RecordServer
import Synchronization

/// Wakes those who wait for changes of a database.
///
/// A change is only a hint: whoever is woken reads the feed. Hints that come while somebody is busy are
/// one hint afterwards, so a slow reader costs no memory.
final class ChangeHub: Sendable {
  /// What wakes somebody.
  enum Hint: Sendable {
    /// Something was committed in the database.
    case changed
    /// Nothing happened for a while: time to see whether the client is still there.
    case stillHere
  }

  private let places = Mutex<[DatabaseKey: Int]>([:])
  private let waiters = Mutex<[DatabaseKey: [ObjectIdentifier: ChangeWaiter]]>([:])

  /// A place for one who wants to wait, taken as long as the object is there; nil where `most` are.
  func place(_ database: DatabaseKey, atMost most: Int) -> ChangePlace? {
    let isFree = places.withLock { places in
      guard places[database, default: 0] < most else { return false }
      places[database, default: 0] += 1
      return true
    }
    return isFree ? ChangePlace(self, database) : nil
  }

  fileprivate func free(_ database: DatabaseKey) {
    places.withLock { places in
      let left = places[database, default: 1] - 1
      places[database] = left > 0 ? left : nil
    }
  }

  /// Somebody who gets hints from now on, until they `leave`.
  func join(_ database: DatabaseKey) -> ChangeWaiter {
    let waiter = ChangeWaiter()
    waiters.withLock { $0[database, default: [:]][ObjectIdentifier(waiter)] = waiter }
    return waiter
  }

  func leave(_ database: DatabaseKey, _ waiter: ChangeWaiter) {
    waiters.withLock { waiters in
      waiters[database]?[ObjectIdentifier(waiter)] = nil
      if waiters[database]?.isEmpty == true { waiters[database] = nil }
    }
  }

  /// Says that something was committed in a database.
  func changed(_ database: DatabaseKey) {
    let waiting = waiters.withLock { $0[database].map { Array($0.values) } ?? [] }
    for waiter in waiting { waiter.tell(.changed) }
  }

  /// Lets everybody see whether their client is still there.
  func remind() {
    let waiting = waiters.withLock { $0.values.flatMap(\.values) }
    for waiter in waiting { waiter.tell(.stillHere) }
  }

  /// How many wait.
  var count: Int { waiters.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}

/// One of the places that a database has for those who wait: it is given back with the object, also where
/// a stream ends before it has begun.
final class ChangePlace: Sendable {
  private let hub: ChangeHub
  private let database: DatabaseKey

  fileprivate init(_ hub: ChangeHub, _ database: DatabaseKey) {
    self.hub = hub
    self.database = database
  }

  deinit { hub.free(database) }
}

/// One who waits for hints; an `AsyncStream` would take two kilobytes more for each.
final class ChangeWaiter: Sendable {
  private struct State {
    /// The hint that nobody has taken yet.
    var hint: ChangeHub.Hint?
    var waiting: CheckedContinuation<ChangeHub.Hint?, Never>?
    var isOver = false
  }

  private let state = Mutex(State())

  /// The next hint; nil once the task that asks is cancelled.
  func next() async -> ChangeHub.Hint? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      end()
    }
  }

  /// Leaves a hint; of several, a change counts.
  func tell(_ hint: ChangeHub.Hint) {
    let waiting = state.withLock { state in
      let waiting = state.waiting
      state.waiting = nil
      if waiting == nil, state.hint != .changed { state.hint = hint }
      return waiting
    }
    waiting?.resume(returning: hint)
  }

  private func wait(_ continuation: CheckedContinuation<ChangeHub.Hint?, Never>) {
    let known: ChangeHub.Hint?? = state.withLock { state in
      if state.isOver { return .some(nil) }
      if let hint = state.hint {
        state.hint = nil
        return hint
      }
      state.waiting = continuation
      return nil
    }
    if let known { continuation.resume(returning: known) }
  }

  private func end() {
    let waiting = state.withLock { state in
      let waiting = state.waiting
      state.waiting = nil
      state.isOver = true
      return waiting
    }
    waiting?.resume(returning: nil)
  }
}
