import DataModel
import Foundation
@testable import SQLiteDriver
import Testing

struct ConnectionTests {
  @Test func `names that mean something else to SQLite are files here`() throws {
    for name in ["", "a\u{0}b"] {
      let error = failure { () throws(SQLiteError) in _ = try Connection(.file(name)) }
      #expect(error?.code == .cannotOpen)
    }
    let error = failure { () throws(SQLiteError) in
      _ = try Connection(.file(":memory:"), mode: .readOnly)
    }
    #expect(error?.message == "unable to open database file: ./:memory:")
  }

  @Test func `an interrupter ends what runs, and is harmless later`() throws {
    let connection = try Connection(.memory)
    let interrupter = connection.interrupter
    try connection.addFunction("stop", argumentCount: 0, isDeterministic: false) { _ in
      interrupter.interrupt()
      return .null
    }
    let sql =
      "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT stop() FROM c WHERE n > 9"
    let error = failure { () throws(SQLiteError) in _ = try connection.rows(sql) }
    #expect(error == SQLiteError(code: .interrupt, message: "interrupted", sql: sql))
    #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
    connection.close()
    interrupter.interrupt()
  }

  @Test func `interrupting from other threads while connections close is safe`() async throws {
    for _ in 0..<50 {
      let connection = try Connection(.memory)
      let interrupter = connection.interrupter
      async let others: Void = withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<200 { interrupter.interrupt() } }
        }
      }
      _ = try? connection.rows("SELECT 1")
      connection.close()
      await others
    }
  }

  @Test func `progress is asked for, and can end a statement`() throws {
    let connection = try Connection(.memory)
    let asked = Counter()
    let endless =
      "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
    connection.setProgress(every: 100) {
      asked.add()
      return asked.count < 5
    }
    let error = failure { () throws(SQLiteError) in _ = try connection.rows(endless) }
    #expect(error?.code == .interrupt)
    #expect(asked.count == 5)
    connection.setProgress(nil)
    _ = try connection.rows(endless + " LIMIT 0")
    #expect(asked.count == 5)
  }

  @Test func `pragmas are read and set, and only words are let into them`() throws {
    let connection = try Connection(.memory)
    try connection.setPragma("user_version", to: 7)
    #expect(try connection.pragma("user_version") == .integer(7))
    #expect(try connection.integerPragma("main.user_version") == 7)
    #expect(try connection.textPragma("journal_mode") == "memory")
    #expect(try connection.setPragma("journal_mode", to: "off") == .string("off"))
    #expect(try connection.pragma("no_such_pragma") == .null)
    for name in ["", "user_version = 8", "a;b", "é"] {
      let error = failure { () throws(SQLiteError) in _ = try connection.pragma(name) }
      #expect(error?.code == .misuse)
    }
    #expect(try connection.integerPragma("user_version") == 7)
  }

  @Test func `tables and columns are listed as they are`() throws {
    let connection = try Connection(.memory)
    try connection.execute(
      """
      CREATE TABLE "odd ""name" (
        key INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL DEFAULT 'it''s', free,
        twice INTEGER AS (key * 2) VIRTUAL) STRICT;
      """.replacing("free,", with: "free ANY,"))
    try connection.execute("CREATE TABLE pairs (a, b, PRIMARY KEY (b, a)) WITHOUT ROWID")
    try connection.execute("CREATE VIEW seen AS SELECT a FROM pairs")
    try connection.execute("CREATE VIRTUAL TABLE words USING fts5 (word)")
    #expect(
      try connection.tables.filter { $0.kind != .shadow } == [
        TableDescription(name: "odd \"name", kind: .table, isStrict: true, isWithoutRowID: false),
        TableDescription(name: "pairs", kind: .table, isStrict: false, isWithoutRowID: true),
        TableDescription(name: "seen", kind: .view, isStrict: false, isWithoutRowID: false),
        TableDescription(name: "words", kind: .virtual, isStrict: false, isWithoutRowID: false),
      ])
    #expect(try connection.tables.contains { $0.name == "words_data" && $0.kind == .shadow })
    func column(
      _ name: String, _ type: String, isNotNull: Bool = false, defaultSQL: String? = nil,
      key: Int = 0, isGenerated: Bool = false
    ) -> ColumnDescription {
      ColumnDescription(
        name: name, declaredType: type, isNotNull: isNotNull, defaultSQL: defaultSQL,
        keyPosition: key, isGenerated: isGenerated)
    }
    #expect(
      try connection.columns(of: "odd \"name") == [
        column("key", "INTEGER", key: 1),
        column("text", "TEXT", isNotNull: true, defaultSQL: "'it''s'"),
        column("free", "ANY"), column("twice", "INTEGER", isGenerated: true),
      ])
    #expect(
      try connection.columns(of: "pairs") == [
        column("a", "", isNotNull: true, key: 2), column("b", "", isNotNull: true, key: 1),
      ])
    #expect(try connection.columns(of: "words") == [column("word", "")])
    #expect(try connection.columns(of: "none") == [])
  }

  @Test func `a frozen file is read whatever its name, and nothing is made beside it`()
    throws
  {
    let folder = try ScratchFolder()
    for name in ["plain.db", "a?b#c%20 d&e=1.db", "\u{e9}.db"] {
      let path = "/" + folder.file(name)
      let writer = try Connection(.file(path))
      try writer.execute("PRAGMA journal_mode = WAL")
      try writer.execute("CREATE TABLE word (text)")
      try writer.execute("INSERT INTO word VALUES ('here')")
      writer.close()
      let frozen = try Connection(.file(path), mode: .frozen)
      #expect(try frozen.rows("SELECT text FROM word") == [[.string("here")]])
      #expect(throws: SQLiteError.self) { try frozen.execute("DELETE FROM word") }
      #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
    }
    #expect(throws: SQLiteError.self) {
      try Connection(.file(folder.file("absent")), mode: .frozen).rows("SELECT 1 FROM word")
    }
  }
}
