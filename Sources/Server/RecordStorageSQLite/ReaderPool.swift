import Dispatch
import SQLiteDriver
import Synchronization

/// Connections for reading, each with a view of the file that lasts while nobody writes.
///
/// A view that nobody uses must not keep the log from being copied into the file and emptied. So all of
/// them end before this process commits, none stays open while it does, and for the sake of other
/// processes none stays open for long.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Reader] = []
    /// How many commits are under way.
    var commits = 0
    /// Counts what ended all views: one that began before is not kept.
    var sweeps: UInt64 = 0
    var isSweepDue = false
  }

  private let path: String
  private let state = Mutex(State())
  private let sweeper = DispatchQueue(label: "contrail.records.views")

  /// How many connections are kept open.
  static let idleMax = 4
  /// How long a view that began stays open, in milliseconds: twice this and the use that it is in, at most.
  static let viewMillisecondsMax = 100

  init(_ path: String) { self.path = path }

  /// Runs `body` in a transaction that sees all that was committed before.
  func read<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    let (kept, sweeps) = state.withLock { ($0.idle.popLast(), $0.sweeps) }
    let reader = try kept ?? Reader(path)
    defer { giveBack(reader) }
    try reader.begin(after: sweeps)
    let result: Result
    do {
      result = try body(reader.transaction)
    } catch {
      reader.view.end()
      throw error
    }
    try reader.view.pause()
    return result
  }

  private func giveBack(_ reader: Reader) {
    let isSweepDue = state.withLock { state in
      guard state.idle.count < Self.idleMax else { return false }
      if state.commits > 0 || reader.sweeps != state.sweeps { reader.view.end() }
      state.idle.append(reader)
      defer { state.isSweepDue = true }
      return !state.isSweepDue
    }
    guard isSweepDue else { return }
    sweeper.asyncAfter(deadline: .now() + .milliseconds(Self.viewMillisecondsMax)) { [weak self] in
      self?.state.withLock { state in
        state.isSweepDue = false
        Self.endViews(&state)
      }
    }
  }

  /// Runs `commit` while no view is open but those that are in use.
  func withoutViews<Result>(_ commit: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      state.commits += 1
      Self.endViews(&state)
    }
    defer { state.withLock { $0.commits -= 1 } }
    return try commit()
  }

  private static func endViews(_ state: inout State) {
    state.sweeps &+= 1
    for reader in state.idle { reader.view.end() }
  }
}

/// A connection for reading, and what it remembers.
///
/// `@unchecked Sendable`: it is handed from one thread to the next through the lock of a pool, and only who
/// took it from there, or has that lock, uses it. A connection has no ties to a thread
/// (sqlite.org/threadsafe.html).
private final class Reader: @unchecked Sendable {
  let view: ReadView
  let transaction: SQLiteTransaction
  /// The pool's count when the view began.
  private(set) var sweeps: UInt64 = 0

  init(_ path: String) throws {
    let connection = try Connection(.file(path), mode: .readOnly)
    connection.setBusyTimeout(milliseconds: SQLiteStorage.readerBusyMilliseconds)
    try connection.execute("PRAGMA cache_size = -\(SQLiteStorage.cacheKiB)")
    view = ReadView(of: connection)
    transaction = SQLiteTransaction(readingOn: connection)
  }

  func begin(after sweeps: UInt64) throws {
    if try view.begin() { return }
    self.sweeps = sweeps
    transaction.meetNewMoment()
  }
}
