import ChildPrograms
import DataModel
import Foundation
import Testing

@testable import SQLiteDriver

/// Transactions for reading that stay open between uses.
struct ReadViewTests {
  /// A file with a table and one number in it, written by one connection and read by a view of another.
  struct World {
    let folder: ScratchFolder
    let path: String
    let writer: Connection
    let reader: Connection
    let view: ReadView

    init(journal: String = "WAL") throws {
      folder = try ScratchFolder()
      path = folder.file("db")
      writer = try Connection(.file(path))
      try writer.execute("PRAGMA journal_mode = \(journal)")
      try writer.execute("CREATE TABLE t (n INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
      reader = try Connection(.file(path), mode: .readOnly)
      view = ReadView(of: reader)
    }

    /// What one use sees, and whether it sees the same moment as the one before.
    func use() throws -> Seen {
      let isSame = try view.begin()
      let count = try reader.rows("SELECT count(*) FROM t")[0][0]
      try view.pause()
      return Seen(isSame: isSame, count: count)
    }

    func insert() throws { try writer.execute("INSERT INTO t (n) VALUES (NULL)") }
  }

  struct Seen: Equatable {
    var isSame: Bool
    var count: FieldValue

    static func same(_ count: Int64) -> Seen { Seen(isSame: true, count: .integer(count)) }
    static func new(_ count: Int64) -> Seen { Seen(isSame: false, count: .integer(count)) }
  }

  @Test func `uses are of one moment until somebody commits, and the next one sees that`() throws {
    let world = try World()
    // The first use finds out that there is a log, the second begins the view that stays.
    #expect(try (0..<4).map { _ in try world.use() } == [.new(1), .new(1), .same(1), .same(1)])
    for count: Int64 in 2..<20 {
      try world.insert()
      #expect(try [world.use(), world.use()] == [.new(count), .same(count)])
    }
  }

  @Test func `what is rolled back changes nothing`() throws {
    let world = try World()
    for _ in 0..<2 { _ = try world.use() }
    try world.writer.execute("BEGIN; INSERT INTO t (n) VALUES (NULL)")
    #expect(try world.use() == .same(1))
    try world.writer.execute("ROLLBACK")
    #expect(try world.use() == .same(1))
  }

  @Test func `what another process commits is seen by the next use`() throws {
    let world = try World()
    for _ in 0..<2 { _ = try world.use() }
    let other = try OtherProcess(on: world.path)
    #expect(try world.use() == .same(1))
    for count: Int64 in 2..<10 {
      try other.run("INSERT INTO t (n) VALUES (NULL)")
      #expect(try [world.use(), world.use()] == [.new(count), .same(count)])
    }
    // The log is begun anew, and whatever is in its index then is another header.
    world.view.end()
    try other.run("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try world.use() == .new(9))
    try other.run("INSERT INTO t (n) VALUES (NULL)")
    #expect(try [world.use(), world.use()] == [.new(10), .same(10)])
  }

  @Test func `a view that has ended lets the log be emptied, and one that stays does not`() throws {
    let world = try World()
    world.writer.setBusyTimeout(milliseconds: 0)
    for _ in 0..<2 { _ = try world.use() }
    try world.insert()
    #expect(
      failure { () throws(SQLiteError) in try world.writer.checkpoint(.truncate) }?.code == .busy)
    world.view.end()
    #expect(try world.writer.checkpoint(.truncate) == Checkpoint(loggedPages: 0, copiedPages: 0))
    #expect(try [world.use(), world.use()] == [.new(2), .same(2)])
  }

  @Test(arguments: ["DELETE", "TRUNCATE"])
  func `without a log every use begins anew, and none stays`(journal: String) throws {
    let world = try World(journal: journal)
    for count: Int64 in 1..<4 {
      #expect(try [world.use(), world.use()] == [.new(count), .new(count)])
      #expect(!world.reader.isInTransaction)
      try world.insert()
    }
  }

  @Test func `a use that reads nothing does not hide what is committed before the next one`() throws
  {
    let world = try World()
    for _ in 0..<2 { _ = try world.use() }
    try world.insert()
    #expect(try !world.view.begin())
    try world.view.pause()
    try world.insert()
    #expect(try world.use() == .new(3))
  }

  @Test func `a use that fails is ended, and the next one begins anew`() throws {
    let world = try World()
    for _ in 0..<2 { _ = try world.use() }
    #expect(try world.view.begin())
    #expect(
      failure { () throws(SQLiteError) in _ = try world.reader.rows("SELECT nothing") } != nil)
    world.view.end()
    #expect(!world.reader.isInTransaction)
    #expect(try [world.use(), world.use()] == [.new(1), .same(1)])
  }

  @Test(arguments: [FaultPlan.Call.begin, .commit, .step])
  func `a call that fails once is thrown or made up for, and never leaves what is old`(
    call: FaultPlan.Call
  ) throws {
    for number in 1..<6 {
      let world = try World()
      world.reader.faults = FaultPlan(failing: number, of: [call])
      for count: Int64 in 1..<8 {
        do {
          #expect(try world.use().count == .integer(count))
        } catch is SQLiteError {
          world.view.end()
        }
        try world.insert()
      }
      world.reader.faults = nil
      #expect(try world.use() == .new(8))
    }
  }

  @Test func `a closed connection says so`() throws {
    let world = try World()
    _ = try world.use()
    world.reader.close()
    #expect(failure { () throws(SQLiteError) in _ = try world.view.begin() }?.code == .misuse)
    world.view.end()
  }
}

/// Another process that runs statements on a file, by Python's own SQLite.
final class OtherProcess {
  private let child: ChildProgram

  private static let program = """
    import sqlite3, sys
    file = sqlite3.connect(sys.argv[1], isolation_level=None)
    for line in sys.stdin:
      file.execute(line).fetchall()
      print("done", flush=True)
    """

  struct Failure: Error {
    var sql: String
    var output: String
  }

  init(on path: String) throws {
    child = try ChildProgram(
      ["python3", "-c", Self.program, path], hasInput: true, output: .pipe)
  }

  deinit {
    child.closeInput()
    child.wait()
  }

  /// Runs a statement, and returns when it is committed.
  func run(_ sql: String) throws {
    child.write(sql + "\n")
    var answer: [UInt8] = []
    // A pipe gives what is there, which may be a part of the line; nothing at its end.
    while answer.last != UInt8(ascii: "\n") {
      let part = child.readSome()
      if part.isEmpty { break }
      answer += part
    }
    let text = String(decoding: answer, as: UTF8.self)
    guard text == "done\n" else { throw Failure(sql: sql, output: text) }
  }
}
