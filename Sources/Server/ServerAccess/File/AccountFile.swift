import SQLiteDriver
import Synchronization

/// Users, tokens and keys of a server in one SQLite file, which commands change while the daemon runs.
///
/// Secrets are not in it, only what it takes to recognise them. A change that has returned is on the disk.
///
/// ```swift
/// let accounts = try AccountFile(at: "/srv/contrail/accounts.sqlite")
/// let token = try accounts.addAPIToken(NewAPIToken(name: "web", place: place), now: now)
/// ```
public final class AccountFile: Sendable {
  /// The file.
  public let path: String

  let random: RandomBytes
  let passwordCost: PasswordCost
  /// What record names are derived with; random, and another for each file.
  let secret: [UInt8]
  private let writer: Mutex<HeldConnection>
  private let reader: Mutex<HeldConnection>
  /// The largest generation that was seen; what was read in an older one may no longer hold.
  private let generation: Atomic<Int64>
  /// When other processes' changes were last looked for; the least number when they have to be.
  private let lastLook = Atomic<Int64>(.min)

  /// How long a writer waits for another process that writes, in milliseconds: off the event loops.
  static let busyMilliseconds: Int32 = 5000
  /// How long a reader waits, in milliseconds: on an event loop.
  ///
  /// Writers do not make readers wait, only a process does that mends the file after a crash.
  static let readerBusyMilliseconds: Int32 = 50
  /// How many random bytes the server's secret has.
  static let secretBytes = 32

  /// Opens the file at `path`, or makes it; nobody but its owner can read it afterwards.
  public init(
    at path: String, random: RandomBytes = .system, passwordCost: PasswordCost = .standard
  ) throws(AccountError) {
    self.path = path
    self.random = random
    self.passwordCost = passwordCost
    try FileMode.prepare(path)
    let facts: AccountFacts
    do {
      let connection = try Connection(.file(path), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: Self.busyMilliseconds)
      facts = try AccountFacts.prepare(connection, path, random)
      try connection.setPragma("journal_mode", to: "WAL")
      // What was revoked stays revoked: https://www.sqlite.org/pragma.html#pragma_synchronous
      try connection.setPragma("synchronous", to: "FULL")
      writer = Mutex(HeldConnection(connection: connection, dataVersion: 0))
      let second = try Connection(.file(path), mode: .readOnly)
      second.setBusyTimeout(milliseconds: Self.readerBusyMilliseconds)
      reader = Mutex(HeldConnection(connection: second, dataVersion: try second.dataVersion))
    } catch {
      throw Self.failure(error, path)
    }
    secret = facts.secret
    generation = Atomic(facts.generation)
  }

  /// A connection and what goes with it, behind a lock.
  ///
  /// `@unchecked Sendable`: who has the lock has the connection alone, and none is used without it. A
  /// connection has no ties to a thread (sqlite.org/threadsafe.html).
  struct HeldConnection: @unchecked Sendable {
    let connection: Connection
    /// SQLite's count of other connections' changes, when the generation was last read.
    var dataVersion: Int64
  }

  static func failure(_ error: any Error, _ path: String) -> AccountError {
    switch error {
    case let error as AccountError: error
    case let error as SQLiteError: AccountError(error, path: path)
    default:
      AccountError(.cannotOpen, path, "cannot be used: \(error)", fix: "try again")
    }
  }
}

extension AccountFile {
  /// Reads at one moment of the file.
  func read<Result: Sendable>(_ body: (Connection) throws -> Result) throws(AccountError) -> Result
  {
    do {
      return try reader.withLock { held in
        try held.connection.transaction(.deferred, failingAs: { $0 as any Error }) {
          try body(held.connection)
        }
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Changes the file in one transaction.
  ///
  /// With `endsRights`, all that any process keeps in memory about tokens and keys is forgotten: somebody has
  /// lost a right, or has other roles. What is only added needs none of that.
  func write<Result: Sendable>(
    endsRights: Bool, _ body: (Connection) throws -> Result
  ) throws(AccountError) -> Result {
    do {
      let (result, newGeneration) = try writer.withLock { held in
        try held.connection.transaction(.immediate, failingAs: { $0 as any Error }) {
          let result = try body(held.connection)
          if endsRights { try AccountFacts.raiseGeneration(held.connection) }
          return (result, try AccountFacts.generation(held.connection))
        }
      }
      note(generation: newGeneration)
      return result
    } catch {
      throw Self.failure(error, path)
    }
  }
}

extension AccountFile {
  /// The generation that this process knows, after looking for changes of others when that is due.
  ///
  /// Costs two loads as long as it is not.
  func currentGeneration(now: Int64) throws(AccountError) -> Int64 {
    let last = lastLook.load(ordering: .acquiring)
    let isFresh =
      last != .min && now >= last
      && Milliseconds.difference(now, last) < AccessLimits.staleMax
    if !isFresh { try look(now: now, since: last) }
    return generation.load(ordering: .acquiring)
  }

  private func look(now: Int64, since last: Int64) throws(AccountError) {
    let mine = lastLook.compareExchange(
      expected: last, desired: now, ordering: .acquiringAndReleasing)
    // Somebody else has begun to look, unless the last look failed.
    guard mine.exchanged || last == .min else { return }
    do {
      let found: Int64? = try reader.withLock { held in
        let version = try held.connection.dataVersion
        if version == held.dataVersion { return nil }
        let found = try AccountFacts.generation(held.connection)
        held.dataVersion = version
        return found
      }
      if let found { note(generation: found) }
    } catch {
      // Nobody is let in on what may be stale: the next request looks again.
      lastLook.store(.min, ordering: .releasing)
      throw Self.failure(error, path)
    }
  }

  /// Generations only grow.
  private func note(generation found: Int64) {
    generation.max(found, ordering: .acquiringAndReleasing)
  }
}
