import SQLiteDriver
import Synchronization

/// Makes known what others have committed to the same file: other processes, and other stores in this
/// one.
///
/// Everyone hears of every commit once and in the order of the commits, own ones among them. It
/// remembers the number of the last transaction that was made known. What lies between that and an own
/// commit is read from history first; and whoever reads what others have committed leaves an own commit,
/// and all behind it, to the thread that is just committing it.
final class RemoteChanges: Sendable {
  private let hub: ChangeHub
  private let gate: ConnectionGate
  /// Whether others can change the store.
  private let isShared: Bool
  private let state: Mutex<State>
  private let ear = Mutex(Ear())

  private struct State {
    /// The last transaction that was made known; nil when it is not known.
    var published: Int64?
    /// The own transaction that is being committed.
    var committing: Int64?
  }

  /// What listens to others.
  ///
  /// `@unchecked Sendable`: used only behind its lock.
  private struct Ear: @unchecked Sendable {
    var connection: Connection?
    var version = VersionStatement()
    /// The same of the connection that writes, which own commits do not change: used only while that
    /// connection is lent.
    var writerVersion = VersionStatement()
  }

  init(_ hub: ChangeHub, _ gate: ConnectionGate, isShared: Bool) {
    self.hub = hub
    self.gate = gate
    self.isShared = isShared
    // Where it cannot be read, the first to hear of anything hears that anything may have changed.
    let newest = try? gate.write { try HistoryBounds.read($0).newest }
    state = Mutex(State(published: newest, committing: nil))
  }
}

/// Others have committed what is not known here.
struct Overtaken: Error {}

extension RemoteChanges {
  /// The last transaction that was made known, and with it all before; nil when it is not known.
  var lastPublished: Int64? { state.withLock { $0.published } }
}

// Own commits, behind the writer's lock.
extension RemoteChanges {
  /// Whether others have committed between what was made known last and the transaction with that number.
  func isOvertaken(by number: Int64) -> Bool {
    isShared && state.withLock { $0.published } != number - 1
  }

  /// Called before the transaction with that number is committed.
  func willCommit(_ number: Int64) { state.withLock { $0.committing = number } }

  /// Called when it was not committed.
  func didRollBack() { state.withLock { $0.committing = nil } }

  /// Makes known what was committed, and before it what others had committed; returns what to finish.
  func didCommit(
    _ changes: ChangeSet, from context: ModelContext?, _ connection: Connection
  ) -> [Delivery] {
    let number = changes.transaction
    let next: [Delivery]? = state.withLock { state in
      guard state.published == number - 1 else { return nil }
      state = State(published: number, committing: nil)
      return hub.deliver(changes, from: context)
    }
    if let next { return next }
    let missed = missedSets(below: number, connection)
    return state.withLock { state in
      var deliveries: [Delivery] = []
      let last = state.published ?? -1
      for set in missed where set.transaction > last || last >= number {
        deliveries += hub.deliver(set, from: nil)
      }
      deliveries += hub.deliver(changes, from: context)
      state = State(published: number, committing: nil)
      return deliveries
    }
  }

  private func missedSets(below number: Int64, _ connection: Connection) -> [ChangeSet] {
    do {
      let last = state.withLock { $0.published }
      return try connection.snapshot {
        try HistoryTail.read(connection, after: last, below: number).sets
      }
    } catch {
      // What was committed stands; that others' changes cannot be read is no reason to fail it.
      return [.unknown(number - 1)]
    }
  }
}

// Others' commits, from any thread.
extension RemoteChanges {
  /// Makes known what others have committed; whether there may have been any since the last call.
  ///
  /// When nothing happened it costs one `PRAGMA data_version`: on the connection that writes, since that
  /// one tells others' commits from own ones, or on its own connection while somebody writes.
  func receive() throws -> Bool {
    if !isShared { return false }
    var deliveries: [Delivery] = []
    let hasChanged = try ear.withLock { ear in
      let writers = try gate.writeIfIdle { try ear.writerVersion.read($0) }
      if let writers, writers == ear.writerVersion.last { return false }
      if ear.connection == nil { ear.connection = try gate.newReader() }
      guard let connection = ear.connection else { return false }
      let own = try ear.version.read(connection)
      if writers == nil, own == ear.version.last { return false }
      deliveries = try receive(connection)
      ear.version.last = own
      if let writers { ear.writerVersion.last = writers }
      return true
    }
    for delivery in deliveries { delivery.finish() }
    return hasChanged
  }

  private func receive(_ connection: Connection) throws -> [Delivery] {
    // Read before history is, so that a number that is lower there means another history.
    let last = state.withLock { $0.published }
    let tail = try connection.snapshot { try HistoryTail.read(connection, after: last) }
    return state.withLock { state in
      let isOther = tail.newest < last ?? 0
      if isOther {
        guard state.published == last, state.committing == nil else { return [] }
      }
      var deliveries: [Delivery] = []
      let known = isOther ? -1 : state.published ?? -1
      for set in tail.sets
      where set.transaction > known && set.transaction < state.committing ?? .max {
        deliveries += hub.deliver(set, from: nil)
        state.published = set.transaction
      }
      return deliveries
    }
  }
}

/// A number that changes when another connection commits.
///
/// See https://www.sqlite.org/pragma.html#pragma_data_version
private struct VersionStatement {
  /// The number when others' commits were last made known.
  var last: Int64?
  private var statement: Statement?

  init() {}

  mutating func read(_ connection: Connection) throws(SQLiteError) -> Int64 {
    let statement: Statement
    if let known = self.statement {
      statement = known
    } else {
      statement = try connection.prepare("PRAGMA data_version")
      self.statement = statement
    }
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}
