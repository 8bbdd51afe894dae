import DataModel
import Testing

@testable import SQLiteDriver

struct TransactionTests {
  struct OwnError: Error, Equatable { var text: String }

  static func filled() throws -> Connection {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    return connection
  }

  static func numbers(_ connection: Connection) throws -> [FieldValue] {
    try connection.rows("SELECT n FROM t ORDER BY n").map { $0[0] }
  }

  @Test func `what a body does is kept when it returns, and undone when it throws`() throws {
    let connection = try Self.filled()
    let key = try connection.transaction { () throws(SQLiteError) in
      try connection.execute("INSERT INTO t VALUES (7)")
      return connection.lastInsertedKey
    }
    #expect(key == 7)
    let error = failure { () throws(SQLiteError) in
      try connection.transaction(.deferred) { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (8)")
        try connection.execute("INSERT INTO t VALUES (7)")
      }
    }
    #expect(error?.code == .constraintPrimaryKey)
    #expect(try Self.numbers(connection) == [.integer(1), .integer(7)])
    #expect(!connection.isInTransaction)
  }

  @Test func `a body may fail with an error of its own`() throws {
    let connection = try Self.filled()
    let convert = { (error: SQLiteError) in OwnError(text: error.message) }
    #expect(throws: OwnError(text: "enough")) {
      try connection.transaction(failingAs: convert) { () throws(OwnError) in
        do throws(SQLiteError) { try connection.execute("INSERT INTO t VALUES (8)") } catch {
          throw convert(error)
        }
        throw OwnError(text: "enough")
      }
    }
    #expect(try Self.numbers(connection) == [.integer(1)])
    #expect(throws: OwnError(text: "cannot start a transaction within a transaction")) {
      try connection.transaction(failingAs: convert) { () throws(OwnError) in
        try connection.transaction(failingAs: convert) { () throws(OwnError) in }
      }
    }
    #expect(!connection.isInTransaction)
  }

  @Test func `a savepoint that fails leaves the rest of its transaction`() throws {
    let connection = try Self.filled()
    try connection.transaction { () throws(SQLiteError) in
      try connection.savepoint { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (2)")
        let inner = failure { () throws(SQLiteError) in
          try connection.savepoint { () throws(SQLiteError) in
            try connection.execute("INSERT INTO t VALUES (3)")
            try connection.execute("INSERT INTO t VALUES (1)")
          }
        }
        #expect(inner?.code == .constraintPrimaryKey)
      }
    }
    #expect(try Self.numbers(connection) == [.integer(1), .integer(2)])
  }

  @Test func `a savepoint without a transaction is one`() throws {
    let connection = try Self.filled()
    try connection.savepoint { () throws(SQLiteError) in
      #expect(connection.isInTransaction)
      try connection.execute("INSERT INTO t VALUES (2)")
    }
    #expect(!connection.isInTransaction)
    #expect(try Self.numbers(connection) == [.integer(1), .integer(2)])
  }

  @Test func `a failed rollback does not hide the first error, and is made up for`() throws {
    let connection = try Self.filled()
    connection.faults = FaultPlan(failing: 1, of: [.rollback], with: .io)
    let error = failure { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (2)")
        try connection.execute("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.code == .constraintPrimaryKey)
    #expect(connection.isInTransaction)
    connection.faults = nil
    try connection.execute("INSERT INTO t VALUES (5)")
    #expect(!connection.isInTransaction)
    #expect(try Self.numbers(connection) == [.integer(1), .integer(5)])
  }

  @Test func `a savepoint that cannot be undone takes its transaction with it`() throws {
    let connection = try Self.filled()
    connection.faults = FaultPlan(failing: 1, of: [.rollback], with: .io)
    let error = failure { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (2)")
        _ = failure { () throws(SQLiteError) in
          try connection.savepoint { () throws(SQLiteError) in
            try connection.execute("INSERT INTO t VALUES (1)")
          }
        }
      }
    }
    #expect(error?.code == .abortedByRollback)
    #expect(!connection.isInTransaction)
    #expect(try Self.numbers(connection) == [.integer(1)])
  }

  @Test func `a body cannot go on in a transaction that SQLite has ended`() throws {
    let connection = try Self.filled()
    var next: SQLiteError?
    let error = failure { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        _ = failure { () throws(SQLiteError) in
          try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        }
        #expect(!connection.isInTransaction)
        next = failure { () throws(SQLiteError) in
          let insert = try connection.statement("INSERT INTO t VALUES (3)")
          try insert.run()
        }
      }
    }
    #expect(next?.code == .abortedByRollback)
    #expect(error?.code == .abortedByRollback)
    try connection.execute("INSERT INTO t VALUES (4)")
    #expect(try Self.numbers(connection) == [.integer(1), .integer(4)])
  }

  @Test func `who waits for a lock gives up after the busy timeout`() throws {
    let folder = try ScratchFolder()
    let first = try Connection(.file(folder.file("a.db")))
    let second = try Connection(.file(folder.file("a.db")))
    second.setBusyTimeout(milliseconds: 20)
    let start = ContinuousClock.now
    try first.transaction { () throws(SQLiteError) in
      let error = failure { () throws(SQLiteError) in
        try second.transaction { () throws(SQLiteError) in }
      }
      #expect(error?.code == .busy)
      #expect(!second.isInTransaction)
    }
    #expect(start.duration(to: .now) >= .milliseconds(15))
    try second.transaction { () throws(SQLiteError) in }
  }

  @Test func `changes are counted, and those of other connections show in the data version`() throws
  {
    let folder = try ScratchFolder()
    let first = try Connection(.file(folder.file("a.db")))
    let second = try Connection(.file(folder.file("a.db")))
    try first.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
    let before = try second.dataVersion
    #expect(try second.dataVersion == before)
    try first.execute(
      "INSERT INTO t VALUES (1), (2); UPDATE t SET n = n + 10; DELETE FROM t WHERE n = 12")
    #expect(first.changes == 1)
    #expect(first.totalChanges == 5)
    #expect(first.lastInsertedKey == 2)
    #expect(try second.dataVersion != before)
  }
}
