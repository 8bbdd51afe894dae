import SQLiteDriver

extension StoreOpening {
  /// Opens or makes a store whose file is read and written whole.
  func openAtomic() throws -> Opened {
    let file = try AtomicFile(
      location, allowsSave: options.allowsSave, faults: environment.fileFaults)
    // Only now, behind the lock, it is known what is there.
    let isNew = try StoreFile.isNew(location, mayBeAbsent: options.allowsSave)
    let connection = try Connection(.memory)
    if !isNew { try file.load(into: connection) }
    let changes = connection.totalChanges
    let opened = try make(connection, isNew: isNew, atomicFile: file)
    if options.allowsSave {
      try file.saveChanges(connection, since: changes)
    } else {
      try connection.execute("PRAGMA query_only = ON")
    }
    return opened
  }

  /// Reads what the store at `path` says about itself.
  static func facts(at path: String) throws -> StoreFacts {
    do {
      switch try StoreFile.find(path) {
      case .absent: throw StoreFile.absent(path)
      case .empty: throw StoreFile.empty(path)
      case .store(.binary): return try atomicFacts(path, .binary)
      case .store(.xml): return try atomicFacts(path, .xml)
      case .store: return try databaseFacts(path)
      }
    } catch let error as SQLiteError {
      throw StoreError(error, .file(path))
    }
  }

  private static func databaseFacts(_ path: String) throws -> StoreFacts {
    do {
      let connection = try Connection(.file(path), mode: .readOnly)
      return try StoreFacts.read(connection, kind: .sqlite, subject: path)
    } catch let error as SQLiteError where error.code.primary == .readOnly {
      // A process was killed in the middle of a write: what it left has to be undone before anyone can
      // read, as SQLite does for whoever may write.
      let connection = try Connection(.file(path), mode: .readWrite)
      return try StoreFacts.read(connection, kind: .sqlite, subject: path)
    }
  }

  private static func atomicFacts(_ path: String, _ kind: StoreKind) throws -> StoreFacts {
    let connection = try Connection(.memory)
    try AtomicFile.load(path, kind, into: connection)
    return try StoreFacts.read(connection, kind: kind, subject: path)
  }
}

extension Connection {
  /// Whether the database has nothing in it, and is nobody's.
  var isBlank: Bool {
    get throws(SQLiteError) {
      let statement = try prepare(
        """
        SELECT (SELECT * FROM pragma_application_id) = 0 \
        AND (SELECT * FROM pragma_user_version) = 0 AND NOT EXISTS (SELECT 1 FROM sqlite_schema)
        """)
      return try statement.step() && statement.integer(0) == 1
    }
  }
}
