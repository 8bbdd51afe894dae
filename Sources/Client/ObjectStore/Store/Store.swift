import DataModel
public import Foundation
import PredicateSQL
import SQLiteDriver
internal import Synchronization

/// A file, or memory, that holds the objects of one schema, and the history of every change to them.
///
/// ```swift
/// let store = try Store(at: .file(path), schema: schema)
/// let context = ModelContext(store)
/// ```
///
/// It may be used from anywhere: one thread writes at a time, others read meanwhile.
public final class Store: Sendable {
  /// The store's own identity, given when it is made.
  public let identifier: UUID
  /// How the schema's objects lie in the store.
  public let layout: StoreLayout
  /// Where the store is.
  public let location: Location
  /// Time, and the names that history notes down.
  public let environment: Environment
  /// Who is told of each commit.
  let hub: ChangeHub
  let sql: [EntitySQL]
  let families: [FamilySQL]
  /// What the identities of each entity's objects have in common.
  let origins: [ObjectOrigin]
  let gate: ConnectionGate
  let cache = WriterCache()
  /// Who hears of what other processes commit, in the order of all commits.
  let remote: RemoteChanges
  let watch = Mutex<FileWatch?>(nil)
  /// Runs what `perform` is handed.
  let executor = ContextExecutor(label: "contrail.store")
  let extras: StoreExtras
  /// SQLite's count of changes of tables when the schema was last found to be the one that is known.
  private let knownSchemaVersion = Mutex<Int64?>(nil)
  /// What keeps the search index up to history.
  public let searchIndexer: SearchIndexer
  /// Keys that a migration has changed.
  let movedKeys: MovedKeys
  /// Whether whoever made the store holds a transaction that each write is a part of.
  let isWithinTransaction: Bool

  /// Where a store is.
  public enum Location: Hashable, Sendable {
    /// An SQLite file at a path.
    case file(String)
    /// Memory, gone with the store.
    case memory
    /// A compact file at a path, which each save replaces.
    case binary(String)
    /// A file at a path that people can read, which each save replaces.
    case xml(String)
  }

  /// What a store takes from the world around it.
  public struct Environment: Sendable {
    /// The time that history notes down.
    public var now: @Sendable () -> Date
    /// Identities for new stores.
    public var newIdentifier: @Sendable () -> UUID
    /// The program's name in history.
    public var processName: String?
    /// How long a writer waits for another process, in milliseconds.
    public var busyMilliseconds = Connection.busyMilliseconds
    /// Which steps of replacing a file fail; nil, as ever outside of tests, for none.
    package var fileFaults: FileFaultPlan?

    /// What the store tells of its work.
    public var debugging = Debugging.ofProcess

    /// The system's clock and random numbers, and this program's name.
    public static var system: Environment {
      Environment(
        now: { Date() }, newIdentifier: { UUID() },
        processName: ProcessInfo.processInfo.processName)
    }
  }

  init(
    identifier: UUID, layout: StoreLayout, location: Location, environment: Environment,
    gate: ConnectionGate, movedKeys: MovedKeys = MovedKeys(), isWithinTransaction: Bool = false
  ) {
    self.identifier = identifier
    self.layout = layout
    self.location = location
    self.environment = environment
    self.gate = gate
    self.movedKeys = movedKeys
    self.isWithinTransaction = isWithinTransaction
    sql = layout.entities.map(EntitySQL.init)
    families = layout.entities.map { FamilySQL($0, layout.entities) }
    origins = layout.entities.map {
      $0.origin.storeIfNil(ObjectOrigin(store: identifier, entity: $0.name))
    }
    hub = ChangeHub()
    remote = RemoteChanges(hub, gate, isShared: location != .memory && !isWithinTransaction)
    extras = StoreExtras(layout, location, environment, identifier)
    searchIndexer = SearchIndexer(layout)
  }
}

extension Store {
  /// Changes the store in one transaction, which `body` fills; nothing is changed when it throws.
  ///
  /// `body` runs on the calling thread, after any other writer is done. What it changed is in history,
  /// under `author`, and is made known to every context once it is committed.
  ///
  /// A commit survives the program's end, but not always the machine's; with `isDurable` it does, and so do
  /// all before it.
  @discardableResult
  public func write<Result>(
    author: String? = nil, from context: ModelContext? = nil, isDurable: Bool = false,
    _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    try write(
      author: author, from: context, isDurable: isDurable, refusingOvertaken: false, body)
  }

  /// The same; throws `Overtaken`, if that is to be refused, where others have committed what is not known here.
  func write<Result>(
    author: String?, from context: ModelContext?, isDurable: Bool = false, refusingOvertaken: Bool,
    _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    var deliveries: [Delivery] = []
    let result: Result
    do {
      result = try gate.write { connection in
        let isSynced = isDurable && !connection.isInTransaction
        if isSynced { try connection.execute("PRAGMA synchronous = FULL") }
        defer { if isSynced { try? connection.execute("PRAGMA synchronous = NORMAL") } }
        let changes = connection.totalChanges
        var files: ExternalWrites?
        do {
          let (result, transaction) = try transaction(on: connection) {
            if cache.didBegin(connection) { try checkSchema(connection) }
            let log = try HistoryLog(
              connection, time: environment.now(), author: author,
              process: environment.processName, cache: cache)
            if refusingOvertaken, remote.isOvertaken(by: log.number) { throw Overtaken() }
            let transaction = WriteTransaction(
              connection, layout, sql, log: log, cache: cache, extras: extras)
            files = transaction.external
            let result = try body(transaction)
            try transaction.finish()
            try gate.atomicFile?.save(connection, ifChangedSince: changes)
            if !log.isEmpty { remote.willCommit(log.number) }
            return (result, transaction)
          }
          gate.atomicFile?.noteCommit(connection)
          transaction.didCommit(isPart: isWithinTransaction)
          // Still behind the gate, so that everyone hears of commits in their order. Only a list is
          // appended to: nobody's code runs here.
          if !transaction.log.isEmpty {
            deliveries = remote.didCommit(transaction.log.changes, from: context, connection)
          }
          return result
        } catch {
          gate.atomicFile?.noteRollback(connection)
          files?.didRollBack()
          remote.didRollBack()
          cache.didRollBack(error)
          throw error
        }
      }
    } catch let error as SQLiteError {
      throw StoreError(error, location)
    }
    for delivery in deliveries { delivery.finish() }
    return result
  }

  /// Throws when another process has migrated the store since it was opened: tables and columns are
  /// others then.
  private func checkSchema(_ connection: Connection) throws {
    if isWithinTransaction { return }
    // Counts changes of tables and indexes: https://www.sqlite.org/pragma.html#pragma_schema_version
    let version = try connection.integerPragma("schema_version")
    if knownSchemaVersion.withLock({ $0 == version }) { return }
    let facts = try StoreFacts.read(connection, kind: location.kind, subject: location.subject)
    guard facts.schema == layout.schema else {
      throw StoreError(
        .incompatibleVersionHash, location.subject,
        "was migrated to another version of the schema while it was open; nothing was changed",
        fix: "close the store and open it with the new schema")
    }
    knownSchemaVersion.withLock { $0 = version }
  }

  /// Runs `body` in a transaction, or as a part of the one that whoever made the store holds.
  private func transaction<Result>(on connection: Connection, _ body: () throws -> Result) throws
    -> Result
  {
    isWithinTransaction
      ? try connection.savepoint(failingAs: { $0 as any Error }, body)
      : try connection.transaction(.immediate, failingAs: { $0 as any Error }, body)
  }

  /// Reads the store: what `body` reads is of one moment.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    do {
      return try gate.read(body)
    } catch let error as SQLiteError {
      throw StoreError(error, location)
    }
  }
}

extension StoreError {
  /// What SQLite's error means for the user of a store.
  init(_ error: SQLiteError, _ location: Store.Location) {
    if QueryProblem.isEvaluationFailure(message: error.message) {
      self.init(
        .outOfRange, location.subject,
        "an expression divides by zero, unwraps nil or becomes too large for some object",
        fix: "leave such objects out, by a condition before it")
      return
    }
    let row = Self.sqliteRows.first { $0.code ~= error.code }
    self.init(
      row?.meaning ?? .writeFailed, location.subject,
      "\(row?.words ?? "SQLite failed"): \(error.message) (SQLite code \(error.code.rawValue))",
      fix: row?.fix)
  }

  private struct SQLiteRow: Sendable {
    var code: SQLiteCode
    var meaning: Code
    var words: String
    var fix: String?
  }

  private static let sqliteRows: [SQLiteRow] = [
    SQLiteRow(
      code: .busy, meaning: .busy, words: "another process is writing for too long",
      fix: "end the other process, or try again"),
    SQLiteRow(
      code: .full, meaning: .writeFailed, words: "the disk is full; nothing was changed",
      fix: "free some space and save again"),
    SQLiteRow(code: .readOnly, meaning: .readOnly, words: "the file cannot be written to"),
    SQLiteRow(
      code: .corrupt, meaning: .corrupt, words: "the file is damaged",
      fix: "restore it from a backup, or try the sqlite3 tool's .recover"),
    SQLiteRow(code: .notADatabase, meaning: .notAStore, words: "the file is no store"),
    SQLiteRow(code: .cannotOpen, meaning: .cannotOpen, words: "the file cannot be opened"),
    SQLiteRow(
      code: .io, meaning: .writeFailed, words: "the disk failed; nothing was changed"),
  ]
}
