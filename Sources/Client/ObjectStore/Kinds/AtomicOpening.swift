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
    try reading(path) { connection, kind in
      try StoreFacts.read(connection, kind: kind, subject: path)
    }
  }

  /// Runs `body` with a connection that reads the store at `path`, of whatever kind it is; changes
  /// nothing.
  static func reading<Result>(
    _ path: String, _ body: (Connection, StoreKind) throws -> Result
  ) throws -> Result {
    do {
      switch try StoreFile.find(path) {
      case .absent: throw StoreFile.absent(path)
      case .empty: throw StoreFile.empty(path)
      case .store(let kind) where kind.isAtomic:
        let connection = try Connection(.memory)
        try AtomicFile.load(path, kind, into: connection)
        return try body(connection, kind)
      case .store:
        do {
          let file = ReadOnlyFile(path)
          return try file.reading { try body(Connection(.file(path), mode: file.mode), .sqlite) }
        } catch let error as SQLiteError where error.code.primary == .readOnly {
          // A process was killed in the middle of a write: what it left has to be undone before anyone
          // can read, as SQLite does for whoever may write.
          return try body(Connection(.file(path), mode: .readWrite), .sqlite)
        }
      }
    } catch let error as SQLiteError {
      throw StoreError(error, .file(path))
    }
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
