import DataModel
import Testing

@testable import SQLiteDriver

struct StatementTests {
  static func misuse(_ message: String, _ sql: String?) -> SQLiteError {
    SQLiteError(code: .misuse, message: message, sql: sql)
  }

  /// Uses a statement in every way; what its step throws.
  static func useUp(_ statement: Statement) -> SQLiteError? {
    statement.bind(1, 1 as Int64)
    statement.bind(1, 0.5)
    statement.bind(1, String(repeating: "long", count: 10_000))
    statement.bind(1, [1, 2, 3])
    statement.bindNull(1)
    let error = failure { () throws(SQLiteError) in _ = try statement.step() }
    #expect(statement.value(0) == .null)
    #expect(statement.isNull(0))
    #expect(statement.text(0) == "")
    #expect(statement.bytes(0) == [])
    #expect(statement.integer(0) == 0)
    #expect(statement.double(0) == 0)
    #expect(statement.columnCount == 0)
    #expect(statement.columnName(0) == "")
    #expect(statement.parameterCount == 0)
    #expect(statement.isReadOnly)
    statement.reset()
    return error
  }

  @Test func `a statement whose connection was closed fails with misuse`() throws {
    let connection = try Connection(.memory)
    let kept = try connection.statement("SELECT ?1")
    let own = try connection.prepare("VALUES (?1), (2)")
    own.bind(1, "one")
    #expect(try own.step())
    connection.close()
    connection.close()
    #expect(Self.useUp(kept) == Self.misuse("the connection is closed", "SELECT ?1"))
    #expect(Self.useUp(own) == Self.misuse("the connection is closed", "VALUES (?1), (2)"))
  }

  @Test func `every call of a closed connection fails or answers with nothing`() throws {
    let connection = try Connection(.memory)
    connection.close()
    let other = try Connection(.memory)
    let closed = Self.misuse("the connection is closed", nil)
    func check(_ call: () throws(SQLiteError) -> Void) {
      let error = failure(call)
      #expect(error?.code == closed.code)
      #expect(error?.message == closed.message)
    }
    check { () throws(SQLiteError) in _ = try connection.statement("SELECT 1") }
    check { () throws(SQLiteError) in _ = try connection.prepare("SELECT 1") }
    check { () throws(SQLiteError) in try connection.execute("SELECT 1") }
    check { () throws(SQLiteError) in try connection.transaction { () throws(SQLiteError) in } }
    check { () throws(SQLiteError) in try connection.savepoint { () throws(SQLiteError) in } }
    check { () throws(SQLiteError) in _ = try connection.checkpoint() }
    check { () throws(SQLiteError) in _ = try connection.quickCheck() }
    check { () throws(SQLiteError) in _ = try connection.serialize() }
    check { () throws(SQLiteError) in try connection.deserialize([]) }
    check { () throws(SQLiteError) in try connection.backup(to: other) }
    check { () throws(SQLiteError) in try other.backup(to: connection) }
    check { () throws(SQLiteError) in _ = try connection.pragma("user_version") }
    check { () throws(SQLiteError) in _ = try connection.dataVersion }
    check { () throws(SQLiteError) in _ = try connection.tables }
    check { () throws(SQLiteError) in _ = try connection.columns(of: "t") }
    check { () throws(SQLiteError) in _ = try connection.queryPlan(of: "SELECT 1") }
    connection.onStatement = { _ in }
    connection.setProgress { true }
    connection.setBusyTimeout(milliseconds: 1)
    connection.interrupt()
    connection.forgetStatements()
    #expect(!connection.isOpen && !connection.isInTransaction)
    #expect(connection.changes == 0)
    #expect(connection.totalChanges == 0)
    #expect(connection.lastInsertedKey == 0)
  }

  @Test func `forgotten statements fail with misuse, those made for one use go on`() throws {
    let connection = try Connection(.memory)
    let kept = try connection.statement("SELECT ?1")
    kept.bind(1, 1 as Int64)
    let second = try connection.statement("SELECT ?1")
    let own = try connection.prepare("SELECT 5")
    connection.forgetStatements()
    #expect(Self.useUp(kept) == Self.misuse("the statement was forgotten", "SELECT ?1"))
    #expect(Self.useUp(second) == Self.misuse("the statement was forgotten", "SELECT ?1"))
    #expect(try own.step())
    #expect(own.integer(0) == 5)
    #expect(try connection.statement("SELECT ?1").step())
  }

  @Test func `a statement that falls out of the cache goes on for who holds it`() throws {
    let connection = try Connection(.memory)
    let held = try connection.statement("VALUES (1), (2)")
    #expect(try held.step())
    for number in 0...Connection.statementsMax {
      _ = try connection.statement("SELECT \(number)").step()
    }
    #expect(connection.statements.count == Connection.statementsMax)
    #expect(connection.statements["VALUES (1), (2)"] == nil)
    #expect(try held.step())
    #expect(held.integer(0) == 2)
  }

  @Test func `the least recently used statement falls out of the cache`() throws {
    let connection = try Connection(.memory)
    _ = try connection.statement("SELECT 'first'")
    _ = try connection.statement("SELECT 'second'")
    for number in 2..<Connection.statementsMax { _ = try connection.statement("SELECT \(number)") }
    _ = try connection.statement("SELECT 'first'")
    _ = try connection.statement("SELECT 'new'")
    #expect(connection.statements["SELECT 'first'"] != nil)
    #expect(connection.statements["SELECT 'second'"] == nil)
  }

  @Test func `a text in use gets a second statement, and the same one after its use`() throws {
    let connection = try Connection(.memory)
    func factorial(_ number: Int64) throws(SQLiteError) -> Int64 {
      if number < 2 { return 1 }
      let statement = try connection.statement("SELECT ?1")
      statement.bind(1, number)
      let smaller = try factorial(number - 1)
      return try statement.step() ? statement.integer(0) * smaller : 0
    }
    #expect(try factorial(5) == 120)
    let first = try connection.statement("VALUES (1), (2)")
    #expect(try first.step())
    #expect(try connection.statement("VALUES (1), (2)") !== first)
    first.reset()
    #expect(try connection.statement("VALUES (1), (2)") === first)
  }

  @Test func `a statement keeps its database open when the connection is let go`() throws {
    var connection: Connection? = try Connection(.memory)
    let statement = try connection?.statement("VALUES (1), (2)")
    connection = nil
    #expect(try statement?.step() == true)
    #expect(try statement?.step() == true)
    #expect(statement?.integer(0) == 2)
  }

  @Test func `values are gone after a run, so none is read where its text no longer lies`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE t (text TEXT)")
    let insert = try connection.statement("INSERT INTO t VALUES (?1)")
    insert.bind(1, String(repeating: "x", count: 40_000))
    try insert.run()
    try insert.run()
    #expect(
      try connection.rows("SELECT length(text) FROM t") == [[.integer(40_000)], [.null]])
  }

  @Test func `a text that is not one statement is refused`() throws {
    let connection = try Connection(.memory)
    func message(_ sql: String) -> String? {
      failure { () throws(SQLiteError) in _ = try connection.prepare(sql) }?.message
    }
    #expect(message("SELECT 1; DROP TABLE t") == "a second statement would not be run; use execute")
    #expect(message("SELECT 1;  -- fine\n") == nil)
    #expect(message("  -- nothing") == "the text holds no statement")
    #expect(message("") == "the text holds no statement")
    #expect(message("SELECT 1\u{0}") == "the statement holds a zero byte")
    #expect(message("SELECT x") == "no such column: x")
  }

  @Test func `a parameter that does not exist is reported by the step`() throws {
    let connection = try Connection(.memory)
    let statement = try connection.statement("SELECT ?1")
    statement.bind(2, "x")
    statement.bind(1, "y")
    let error = failure { () throws(SQLiteError) in _ = try statement.step() }
    #expect(
      error
        == SQLiteError(code: .range, message: "column index out of range", sql: "SELECT ?1"))
    statement.bind(1, "y")
    #expect(try statement.step())
  }

  @Test func `rows end at the first error of who reads them`() throws {
    let connection = try Connection(.memory)
    let statement = try connection.statement("VALUES (1), (2), (3)")
    var seen: [Int64] = []
    let error = failure { () throws(SQLiteError) in
      try statement.forEachRow { row throws(SQLiteError) in
        seen.append(row.integer(0))
        if seen.count == 2 { throw Self.misuse("enough", nil) }
      }
    }
    #expect(seen == [1, 2])
    #expect(error == Self.misuse("enough", nil))
    #expect(!statement.isInUse)
  }
}
