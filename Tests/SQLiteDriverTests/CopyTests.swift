import DataModel
import Foundation
import Testing

@testable import SQLiteDriver

struct CopyTests {
  static func filled(_ location: Connection.Location) throws -> Connection {
    let connection = try Connection(location)
    try connection.setPragma("journal_mode", to: "wal")
    try connection.execute("CREATE TABLE t (n); INSERT INTO t VALUES (1), (2)")
    return connection
  }

  @Test func `a checkpoint tells how far it came`() throws {
    let folder = try ScratchFolder()
    let connection = try Self.filled(.file(folder.file("a.db")))
    connection.setBusyTimeout(milliseconds: 0)
    let reader = try Connection(.file(folder.file("a.db")))
    try reader.execute("BEGIN; SELECT count(*) FROM t")
    try connection.execute("INSERT INTO t VALUES (3)")
    let partial = try connection.checkpoint(.passive)
    #expect(partial.map { $0.isComplete } == false)
    #expect(
      failure { () throws(SQLiteError) in _ = try connection.checkpoint(.truncate) }?.code == .busy)
    try reader.execute("COMMIT")
    #expect(
      try connection.checkpoint(.truncate) == Checkpoint(loggedPages: 0, copiedPages: 0))
    #expect(try Connection(.memory).checkpoint() == nil)
  }

  @Test func `a database survives as bytes, also one with a write-ahead log`() throws {
    let folder = try ScratchFolder()
    let connection = try Self.filled(.file(folder.file("a.db")))
    try connection.checkpoint(.truncate)
    let image = try connection.serialize()
    let copy = try Connection(.memory)
    let before = try copy.statement("SELECT 1")
    try copy.deserialize(image)
    #expect(try copy.rows("SELECT n FROM t") == [[.integer(1)], [.integer(2)]])
    try copy.execute("INSERT INTO t SELECT hex(zeroblob(9000)) FROM t")
    #expect(try copy.rows("SELECT count(*) FROM t") == [[.integer(4)]])
    #expect(failure { () throws(SQLiteError) in try before.run() }?.code == .misuse)
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(2)]])
  }

  @Test func `no bytes are an empty database, and wrong bytes an error at the first use`() throws {
    let connection = try Connection(.memory)
    #expect(try connection.serialize() == [])
    try connection.deserialize([])
    try connection.execute("CREATE TABLE t (n)")
    try connection.deserialize([UInt8](repeating: 65, count: 4096))
    let error = failure { () throws(SQLiteError) in _ = try connection.rows("SELECT * FROM t") }
    #expect(error?.code == .notADatabase)
    #expect(try connection.quickCheck() == ["file is not a database"])
  }

  @Test func `a backup is a copy of one moment, and replaces what was there`() throws {
    let folder = try ScratchFolder()
    let connection = try Self.filled(.file(folder.file("a.db")))
    let copy = try Connection(.file(folder.file("b.db")))
    try copy.execute("CREATE TABLE other (n)")
    try connection.backup(to: copy)
    #expect(try copy.tables.map(\.name) == ["t"])
    #expect(try copy.rows("SELECT n FROM t") == [[.integer(1)], [.integer(2)]])
    #expect(try copy.quickCheck() == [])
    #expect(
      failure { () throws(SQLiteError) in try connection.backup(to: connection) }?.message
        == "source and destination must be distinct")
    try copy.execute("BEGIN; SELECT 1 FROM t")
    #expect(failure { () throws(SQLiteError) in try connection.backup(to: copy) }?.code == .error)
  }

  @Test func `a damaged file is described`() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.db")
    let connection = try Connection(.file(path))
    try connection.execute("CREATE TABLE t (n); INSERT INTO t VALUES (zeroblob(20000))")
    connection.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(4096..<4200, with: Data(repeating: 0xff, count: 104))
    try bytes.write(to: URL(fileURLWithPath: path))
    let problems = try Connection(.file(path)).quickCheck()
    #expect(!problems.isEmpty && problems != ["ok"])
  }
}
