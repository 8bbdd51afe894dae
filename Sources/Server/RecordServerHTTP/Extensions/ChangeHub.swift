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

  private struct Waiters {
    var next: UInt64 = 0
    var byDatabase: [DatabaseKey: [UInt64: AsyncStream<Hint>.Continuation]] = [:]
  }

  private let waiters = Mutex(Waiters())

  /// Hints from now on; ends with the task that reads them.
  func hints(of database: DatabaseKey) -> AsyncStream<Hint> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Hint.self, bufferingPolicy: .bufferingNewest(1))
    let number = waiters.withLock { waiters in
      waiters.next += 1
      waiters.byDatabase[database, default: [:]][waiters.next] = continuation
      return waiters.next
    }
    continuation.onTermination = { [weak self] _ in self?.leave(database, number) }
    return stream
  }

  private func leave(_ database: DatabaseKey, _ number: UInt64) {
    waiters.withLock { waiters in
      waiters.byDatabase[database]?[number] = nil
      if waiters.byDatabase[database]?.isEmpty == true { waiters.byDatabase[database] = nil }
    }
  }

  /// Says that something was committed in a database.
  func changed(_ database: DatabaseKey) {
    let waiting = waiters.withLock { $0.byDatabase[database].map { Array($0.values) } ?? [] }
    for continuation in waiting { continuation.yield(.changed) }
  }

  /// Lets everybody see whether their client is still there.
  func remind() {
    let waiting = waiters.withLock { $0.byDatabase.values.flatMap(\.values) }
    for continuation in waiting { continuation.yield(.stillHere) }
  }

  /// How many wait.
  var count: Int { waiters.withLock { $0.byDatabase.values.reduce(0) { $0 + $1.count } } }
}
