import DataModel
import FoundationEssentials
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

/// Makes a store ready for sync: its tables, what it is synced with, and the objects that it has already.
enum SyncSetup {
  /// The name under which sync reads the store's history: what it has not read is not purged.
  static let readerName = "contrail.sync"

  /// Prepares the store; returns the number of this installation, which is `device` the first time.
  static func prepare(
    _ store: Store, _ configuration: SyncConfiguration, _ objects: ObjectRecords,
    device: DeviceNumber
  ) throws -> DeviceNumber {
    switch store.location {
    case .file, .memory: break
    case .binary, .xml:
      throw SyncError(
        .unsupportedStore, "the store",
        "is of a kind that is rewritten as a whole, and has no place for what sync remembers",
        fix: "copy it to an SQLite store: syncctl migrate, or Store.copy")
    }
    return try store.write(author: SyncAuthor.name) { transaction in
      let rows = SyncRows(connection: transaction.connection)
      guard try SyncTables.areThere(transaction.connection) else {
        try begin(store, transaction, rows, configuration, objects, device)
        return device
      }
      try check(rows, configuration)
      // A server may have moved; who it is, its container says.
      if try rows.text(.server) != configuration.server {
        try rows.set(.server, configuration.server)
      }
      try FileTables.makeIfNeeded(transaction.connection)
      try SyncTables.renewIndexes(transaction.connection)
      try followMoved(rows, objects)
      return DeviceNumber(rawValue: UInt64(bitPattern: try rows.integer(.device) ?? 0))
    }
  }

  private static func begin(
    _ store: Store, _ transaction: WriteTransaction, _ rows: SyncRows,
    _ configuration: SyncConfiguration, _ objects: ObjectRecords, _ device: DeviceNumber
  ) throws {
    try SyncTables.make(transaction.connection)
    try rows.set(.version, SyncTables.version)
    try rows.set(.device, Int64(bitPattern: device.rawValue))
    try rows.set(.server, configuration.server)
    try rows.set(.container, configuration.container)
    try rows.set(.environment, configuration.environment)
    try rows.set(.profile, configuration.profile.rawValue)
    try rows.set(.moved, rows.lastMove())
    try rows.put(ZoneRow(number: 1, identity: configuration.zone, token: nil, isMade: false))
    // What was there before is sent as new; history is read from here on.
    let newest = try transaction.connection.newestHistory()
    try rows.set(.cursorTransaction, newest.transaction)
    try rows.set(.cursorChange, newest.change)
    for type in objects.objectTypes {
      guard let last = try type.lastKey(transaction.connection) else { continue }
      try rows.setBackfill(Backfill(entity: type.number, next: 1, last: last))
    }
    let start = HistoryToken(store: store.identifier, transaction: newest.transaction)
    try transaction.registerReader(readerName, at: start, in: store)
  }

  private static func check(_ rows: SyncRows, _ configuration: SyncConfiguration) throws {
    let version = try rows.integer(.version) ?? 0
    if version > SyncTables.version {
      throw SyncError(
        .newerTables, "the store", "was synced by a later version of Contrail",
        fix: "update this program")
    }
    let zone = try rows.zones().first?.identity
    let facts: [(name: String, known: String?, wanted: String)] = [
      ("container", try rows.text(.container), configuration.container),
      ("environment", try rows.text(.environment), configuration.environment),
      ("profile", try rows.text(.profile), configuration.profile.rawValue),
      ("zone", zone?.shown, configuration.zone.shown),
    ]
    for (name, known, wanted) in facts {
      guard let known, known != wanted else { continue }
      throw SyncError(
        .otherContainer, "the store", "is synced with the \(name) \(known), not \(wanted)",
        fix: name == "zone"
          ? "use \(known), or another store: each has one zone"
          : "use \(known), or copy the records: syncctl migrate-container")
    }
  }
}

extension ZoneIdentity {
  /// The name, and whose zone it is where that is somebody else's.
  fileprivate var shown: String { owner.map { "\(name) of \($0)" } ?? name }
}

/// Objects of an entity that were there before sync, and have no records yet.
struct Backfill: Hashable {
  /// The entity's number.
  var entity: Int
  /// The key to go on with.
  var next: Int64
  /// The last key.
  var last: Int64
}

extension SyncRows {
  func setBackfill(_ backfill: Backfill) throws(SQLiteError) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO contrail_sync_backfill (entity, next, last) VALUES (?1, ?2, ?3)")
    statement.bind(1, Int64(backfill.entity))
    statement.bind(2, backfill.next)
    statement.bind(3, backfill.last)
    try statement.run()
  }

  /// What is still to be done; nil when nothing is.
  func nextBackfill() throws(SQLiteError) -> Backfill? {
    let statement = try connection.statement(
      "SELECT entity, next, last FROM contrail_sync_backfill ORDER BY entity LIMIT 1")
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Backfill(
      entity: Int(clamping: statement.integer(0)), next: statement.integer(1),
      last: statement.integer(2))
  }

  func endBackfill(entity: Int) throws(SQLiteError) {
    try run("DELETE FROM contrail_sync_backfill WHERE entity = ?1", Int64(entity))
  }
}
