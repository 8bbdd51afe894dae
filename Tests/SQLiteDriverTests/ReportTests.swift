import DataModel
import SQLiteDriver
import Testing

struct ReportTests {
  @Test func `each run of a statement is reported once, with its rows and its time`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2), (3)")
    var reports: [StatementReport] = []
    connection.onStatement = { reports.append($0) }
    _ = try connection.rows("SELECT n FROM t ORDER BY n")
    try connection.execute("DELETE FROM t WHERE n = 1; SELECT 1")
    connection.onStatement = nil
    _ = try connection.rows("SELECT 2")
    #expect(
      reports.map(\.sql) == [
        "SELECT n FROM t ORDER BY n", "DELETE FROM t WHERE n = 1;", "SELECT 1",
      ])
    #expect(reports.map(\.rows) == [3, 0, 1])
    #expect(reports.map(\.sorts) == [1, 0, 0])
    #expect(reports.map(\.scannedRows) == [2, 2, 0])
    #expect(reports.allSatisfy { $0.nanoseconds > 0 && $0.nanoseconds < 60_000_000_000 })
  }

  @Test func `a run that ends before its last row is reported at its reset`() throws {
    let connection = try Connection(.memory)
    var rows: [Int] = []
    connection.onStatement = { rows.append($0.rows) }
    let statement = try connection.statement("VALUES (1), (2), (3)")
    #expect(try statement.step())
    #expect(rows == [])
    statement.reset()
    #expect(rows == [1])
  }

  @Test func `values are shown only to those who ask`() throws {
    let connection = try Connection(.memory)
    var texts: [String] = []
    connection.onStatement = { texts.append($0.sql) }
    _ = try connection.rows("SELECT ?1", .string("it's"))
    connection.reportsValues = true
    _ = try connection.rows("SELECT ?1", .string("it's"))
    #expect(texts == ["SELECT ?1", "SELECT 'it''s'"])
  }

  @Test func `who gets a report may use the connection, and even close it`() throws {
    let connection = try Connection(.memory)
    var plans: [[String]] = []
    connection.onStatement = { [unowned connection] report in
      plans.append((try? connection.queryPlan(of: report.sql)) ?? [])
      connection.close()
    }
    try connection.execute("SELECT 1")
    #expect(plans == [["SCAN CONSTANT ROW"]])
    #expect(
      failure { () throws(SQLiteError) in try connection.execute("SELECT 1") }
        == SQLiteError(code: .misuse, message: "the connection is closed"))
  }

  @Test func `what the full-text index runs within a statement is part of it`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE VIRTUAL TABLE notes USING fts5 (text)")
    var texts: [String] = []
    connection.onStatement = { texts.append($0.sql) }
    try connection.execute("INSERT INTO notes VALUES ('one two')")
    _ = try connection.rows("SELECT count(*) FROM notes WHERE notes MATCH 'two'")
    #expect(
      texts == [
        "INSERT INTO notes VALUES ('one two')",
        "SELECT count(*) FROM notes WHERE notes MATCH 'two'",
      ])
  }

  @Test func `a plan's lines are indented by their depth`() throws {
    let connection = try Connection(.memory)
    try connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, m)")
    #expect(
      try connection.queryPlan(of: "SELECT * FROM t WHERE m = (SELECT max(m) FROM t) AND n = 1")
        == [
          "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", "SCALAR SUBQUERY 1", "  SEARCH t",
        ])
  }
}
