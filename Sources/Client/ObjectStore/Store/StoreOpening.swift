public import DataModel
internal import Foundation
internal import SchemaFormats
internal import SQLiteDriver

extension Store {
  /// How a store is opened.
  public struct Options: Sendable {
    /// Whether the store may be changed, and made when there is none.
    public var allowsSave = true
    /// What to do when the store has another version of the schema.
    public var migration = Migration.automatic
    /// Called before each step of a migration, from the thread that opens the store.
    public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

    /// Called with the connection that writes, before it is used; for tests.
    var onWriter: (@Sendable (Connection) -> Void)?

    /// Saving is allowed, and what can be migrated without a plan is.
    public init() {}

    /// What to do when the store has another version of the schema.
    public enum Migration: Sendable {
      /// Migrate where no plan is needed.
      case automatic
      /// Refuse to open.
      case none
      /// Go through the stages of a plan, and migrate by inference between and after them.
      case staged(MigrationStages)
    }
  }

  /// Opens the store at `location` with `schema`, and makes it when there is none.
  public convenience init(
    at location: Location, schema: Schema, options: Options = Options(),
    environment: Environment = .system
  ) throws {
    let opening = StoreOpening(
      location: location, schema: schema, options: options, environment: environment)
    let opened = try opening.open()
    self.init(
      identifier: opened.identifier, layout: opened.layout, location: location,
      environment: environment, gate: opened.gate, movedKeys: opened.movedKeys)
  }

  /// Reads what the store at `location` says about itself, and changes nothing.
  public static func facts(at path: String) throws -> StoreFacts {
    try StoreOpening.checkFile(path)
    do {
      let connection = try Connection(.file(path), mode: .readOnly)
      return try StoreFacts.read(connection, subject: path)
    } catch let error as SQLiteError {
      throw StoreError(error, .file(path))
    }
  }
}

/// Opens a store, or makes one.
struct StoreOpening {
  let location: Store.Location
  let schema: Schema
  let options: Store.Options
  let environment: Store.Environment

  /// What it takes to make a `Store`.
  struct Opened {
    let identifier: UUID
    let layout: StoreLayout
    let gate: ConnectionGate
    var movedKeys = MovedKeys()
  }

  private var subject: String {
    switch location {
    case .file(let path): path
    case .memory: "store in memory"
    }
  }

  func open() throws -> Opened {
    do {
      switch location {
      case .memory: return try make(Connection(.memory), isNew: true)
      case .file(let path):
        let isNew = try Self.checkFile(path, mayBeAbsent: options.allowsSave)
        let mode: Connection.Mode = options.allowsSave ? (isNew ? .create : .readWrite) : .readOnly
        return try make(Connection(.file(path), mode: mode), isNew: isNew)
      }
    } catch let error as SQLiteError {
      throw StoreError(error, location)
    }
  }

  private func make(_ connection: Connection, isNew: Bool) throws -> Opened {
    connection.setBusyTimeout(milliseconds: environment.busyMilliseconds)
    options.onWriter?(connection)
    if isNew { return try create(connection) }
    let facts = try StoreFacts.read(connection, subject: subject)
    if options.allowsSave { try configureWriter(connection) }
    let catalogue = try MigrationDriver(
      connection: connection, location: location, schema: schema, options: options,
      environment: environment, subject: subject
    ).catalogue(facts)
    return try Opened(
      identifier: facts.identifier, layout: StoreLayout(schema, catalogue), gate: gate(connection),
      movedKeys: MovedKeys.read(connection))
  }

  private func create(_ connection: Connection) throws -> Opened {
    let catalogue = Catalogue().extended(for: schema)
    let layout = StoreLayout(schema, catalogue)
    let identifier = environment.newIdentifier()
    try configureWriter(connection)
    try connection.execute("BEGIN IMMEDIATE")
    do {
      try connection.execute("PRAGMA application_id = \(StoreSQL.applicationID)")
      try connection.execute("PRAGMA user_version = \(StoreSQL.formatVersion)")
      for sql in StoreSQL.ownTables + StoreSQL.objectTables(layout) { try connection.execute(sql) }
      try StoreFacts.write(
        StoreFacts.Name.identifier, identifier.uuidString, connection)
      try StoreFacts.write(StoreFacts.Name.schema, ContrailJSON.text(of: schema), connection)
      try catalogue.write(connection)
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    return Opened(identifier: identifier, layout: layout, gate: gate(connection))
  }

  /// WAL, so that readers do not wait for the writer; NORMAL, so that a commit survives the program's
  /// end but not always the machine's (sqlite.org/pragma.html#pragma_synchronous).
  private func configureWriter(_ connection: Connection) throws(SQLiteError) {
    if case .memory = location { return }
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = NORMAL")
    try connection.execute("PRAGMA cache_size = -\(Self.writerCacheKiB)")
    try connection.execute("PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
  }

  /// How much of the file the writer keeps in memory at most.
  static let writerCacheKiB = 16 * 1024
  /// How much of the file each reader keeps in memory at most.
  static let readerCacheKiB = 4 * 1024
  /// After how many pages the log is written back to the file.
  static let checkpointPages = 4000

  private func gate(_ connection: Connection) -> ConnectionGate {
    guard case .file(let path) = location else {
      return ConnectionGate(writer: connection, openReader: nil)
    }
    let busy = environment.busyMilliseconds
    return ConnectionGate(writer: connection) { () throws(SQLiteError) -> Connection in
      let reader = try Connection(.file(path), mode: .readOnly)
      reader.setBusyTimeout(milliseconds: busy)
      try reader.execute("PRAGMA cache_size = -\(Self.readerCacheKiB)")
      return reader
    }
  }

  /// Whether there is no store yet; throws for what is no store.
  @discardableResult
  static func checkFile(_ path: String, mayBeAbsent: Bool = false) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else {
      if mayBeAbsent { return true }
      throw StoreError(
        .cannotOpen, path, "no such file", fix: "check the path, or allow saving to make a store")
    }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw StoreError(.cannotOpen, path, "the file cannot be read")
    }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: 16)) ?? Data()
    if head.isEmpty { return true }
    guard head.elementsEqual("SQLite format 3\0".utf8) else {
      throw StoreError(
        .notAStore, path, "the file is no SQLite database, so no store",
        fix: "name a file that Contrail made, or one that does not exist yet")
    }
    return false
  }
}
