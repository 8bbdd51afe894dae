public import DataModel
internal import FoundationEssentials
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
    try schema.checkNames()
    try schema.checkUniqueness()
    try DerivedPlan.check(schema)
    let opening = StoreOpening(
      location: location, schema: schema, options: options, environment: environment)
    let opened = try opening.open()
    self.init(
      identifier: opened.identifier, layout: opened.layout, location: location,
      environment: environment, gate: opened.gate, movedKeys: opened.movedKeys)
    if options.allowsSave { try installExtras() }
    // The store is open and migrated: what cannot be cleaned now is at the next opening.
    if options.allowsSave && opened.mayHaveUnusedValues { _ = try? removeUnusedValues() }
  }

  /// Reads what the store at `path`, of whatever kind, says about itself, and changes nothing.
  ///
  /// Binary and XML stores are read whole, so that one that is damaged anywhere is refused.
  public static func facts(at path: String) throws -> StoreFacts {
    try StoreOpening.facts(at: path)
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
    /// Whether a migration may have left values behind that nothing refers to.
    var mayHaveUnusedValues = false
  }

  private var subject: String { location.subject }

  func open() throws -> Opened {
    do {
      let isNew = try StoreFile.isNew(location, mayBeAbsent: options.allowsSave)
      switch location {
      case .memory: return try make(Connection(.memory), isNew: true)
      case .file(let path):
        guard !options.allowsSave else {
          let mode: Connection.Mode = isNew ? .create : .readWrite
          return try make(Connection(.file(path), mode: mode), isNew: isNew)
        }
        let file = ReadOnlyFile(path)
        return try file.reading {
          try make(Connection(.file(path), mode: file.mode), isNew: isNew, readOnlyFile: file)
        }
      case .binary, .xml: return try openAtomic()
      }
    } catch let error as SQLiteError {
      throw StoreError(error, location)
    }
  }

  func make(
    _ connection: Connection, isNew: Bool, atomicFile: AtomicFile? = nil,
    readOnlyFile: ReadOnlyFile? = nil
  ) throws -> Opened {
    connection.setBusyTimeout(milliseconds: environment.busyMilliseconds)
    try connection.addQueryFunctions()
    environment.debugging.watch(connection)
    options.onWriter?(connection)
    // A process that was killed while it made the store leaves a database without tables.
    if try isNew || (options.allowsSave && connection.isBlank) {
      return try create(connection, atomicFile)
    }
    let facts = try StoreFacts.read(connection, kind: location.kind, subject: subject)
    if options.allowsSave { try configureWriter(connection) }
    let catalogue = try MigrationDriver(
      connection: connection, location: location, schema: schema, options: options,
      environment: environment, subject: subject
    ).catalogue(facts)
    tell("opened", facts.identifier)
    return try Opened(
      identifier: facts.identifier, layout: StoreLayout(schema, catalogue),
      gate: gate(connection, atomicFile, readOnlyFile), movedKeys: MovedKeys.read(connection),
      mayHaveUnusedValues: StoreFacts.has(StoreFacts.Name.unusedValues, connection))
  }

  private func create(
    _ connection: Connection, _ atomicFile: AtomicFile?
  ) throws -> Opened {
    let catalogue = Catalogue().extended(for: schema)
    let layout = StoreLayout(schema, catalogue)
    let identifier = environment.newIdentifier()
    try configureWriter(connection)
    try connection.execute("BEGIN IMMEDIATE")
    do {
      try connection.execute("PRAGMA application_id = \(StoreSQL.applicationID)")
      try connection.execute("PRAGMA user_version = \(StoreSQL.formatVersion)")
      for sql in StoreSQL.ownTables + StoreExtras.tables + StoreSQL.objectTables(layout) {
        try connection.execute(sql)
      }
      try StoreFacts.write(
        StoreFacts.Name.identifier, identifier.uuidString, connection)
      try StoreFacts.write(StoreFacts.Name.schema, ContrailJSON.text(of: schema), connection)
      try catalogue.write(connection)
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    tell("made", identifier)
    return Opened(identifier: identifier, layout: layout, gate: gate(connection, atomicFile))
  }

  private func tell(_ act: String, _ identifier: UUID) {
    environment.debugging.store(
      "\(subject): \(act), \(identifier.uuidString), of "
        + schema.entities.map(\.name).joined(separator: ", "))
  }

  /// WAL, so that readers do not wait for the writer; NORMAL, so that a commit survives the program's
  /// end but not always the machine's (sqlite.org/pragma.html#pragma_synchronous).
  private func configureWriter(_ connection: Connection) throws(SQLiteError) {
    guard case .file = location else { return }
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = NORMAL")
    try connection.execute("PRAGMA cache_size = -\(Self.writerCacheKiB)")
    try connection.execute("PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
  }

  /// How much of the file the writer keeps in memory at most.
  static let writerCacheKiB = 64 * 1024
  /// How much of the file each reader keeps in memory at most.
  static let readerCacheKiB = 32 * 1024
  /// After how many pages the log is written back to the file.
  static let checkpointPages = 16_000

  private func gate(
    _ connection: Connection, _ atomicFile: AtomicFile?, _ readOnlyFile: ReadOnlyFile? = nil
  ) -> ConnectionGate {
    guard case .file(let path) = location else {
      return ConnectionGate(writer: connection, atomicFile: atomicFile, openReader: nil)
    }
    let (busy, debugging) = (environment.busyMilliseconds, environment.debugging)
    let mode = readOnlyFile?.mode ?? .readOnly
    return ConnectionGate(writer: connection, readOnlyFile: readOnlyFile) {
      () throws(SQLiteError) -> Connection in
      let reader = try Connection(.file(path), mode: mode)
      reader.setBusyTimeout(milliseconds: busy)
      try reader.addQueryFunctions()
      debugging.watch(reader)
      try reader.execute("PRAGMA cache_size = -\(Self.readerCacheKiB)")
      return reader
    }
  }
}
