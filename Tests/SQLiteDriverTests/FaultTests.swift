import CLogWriter
import DataModel
import FaultyVFS
import Foundation
import Testing

@testable import SQLiteDriver

/// What a fault may leave of a small transaction: all of it or nothing.
struct FaultTests {
  /// How often a loop tries at most: a bound for work whose calls never end.
  static let triesMax = 2000

  enum Journal: String, CaseIterable, Sendable { case delete, wal }

  static let old: [[FieldValue]] = (1...3).map { [.integer($0), .integer(5000)] }
  static let new: [[FieldValue]] = (2...5).map { [.integer($0), .integer($0 == 2 ? 9000 : 5000)] }

  /// Makes the database before the work: rows of more than a page each.
  static func fill(_ path: String, _ journal: Journal) throws {
    let connection = try Connection(.file(path))
    try connection.setPragma("journal_mode", to: journal.rawValue)
    try connection.execute(
      """
      CREATE TABLE t (n INTEGER PRIMARY KEY, data BLOB);
      CREATE INDEX sizes ON t (length(data));
      INSERT INTO t VALUES (1, zeroblob(5000)), (2, zeroblob(5000)), (3, zeroblob(5000));
      """)
    connection.close()
  }

  /// The work: opens, and changes, removes and adds rows in one transaction.
  static func work(_ connection: Connection) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute("DELETE FROM t WHERE n = 1")
      let insert = try connection.statement("INSERT INTO t VALUES (?1, zeroblob(5000))")
      for number in Int64(4)...5 {
        insert.bind(1, number)
        try insert.run()
      }
      try connection.savepoint { () throws(SQLiteError) in
        try connection.execute("UPDATE t SET data = zeroblob(9000) WHERE n = 2")
      }
    }
  }

  /// What is in the file, for a program that comes later.
  static func state(_ path: String) throws -> [[FieldValue]] {
    let connection = try Connection(.file(path), mode: .readWrite)
    defer { connection.close() }
    #expect(try connection.quickCheck() == [])
    return try connection.rows("SELECT n, length(data) FROM t ORDER BY n")
  }

  @Test(arguments: Journal.allCases, FaultPlan.Duration.allCases)
  func `whichever call fails, the rows are the old or the new ones`(
    journal: Journal, duration: FaultPlan.Duration
  ) throws {
    let folder = try ScratchFolder()
    var failures = 0
    for number in 1...Self.triesMax {
      let path = folder.file("\(number).db")
      try Self.fill(path, journal)
      let plan = FaultPlan(failing: number, duration, with: .full)
      let connection = try Connection(.file(path))
      connection.faults = plan
      let error = failure { () throws(SQLiteError) in try Self.work(connection) }
      #expect(error?.code == (plan.failureCount == 0 ? nil : .full))
      connection.close()
      #expect(try Self.state(path) == (error == nil ? Self.new : Self.old))
      if error == nil { break }
      failures += 1
    }
    #expect(failures > 10 && failures < Self.triesMax)
  }

  @Test func `after one failed call the same connection goes on as before`() throws {
    for number in 1...Self.triesMax {
      let folder = try ScratchFolder()
      let path = folder.file("a.db")
      try Self.fill(path, .wal)
      let connection = try Connection(.file(path))
      let plan = FaultPlan(failing: number)
      connection.faults = plan
      let error = failure { () throws(SQLiteError) in try Self.work(connection) }
      // Also the rollback may be what failed: it is made up for.
      if error != nil { try Self.work(connection) }
      #expect(!connection.isInTransaction)
      #expect(try Self.state(path) == Self.new)
      if plan.failureCount == 0 { return }
    }
    Issue.record("the work never succeeded")
  }

  @Test(
    arguments: Journal.allCases,
    [
      SQLiteCode(rawValue: 13), SQLiteCode(rawValue: 10 | 1 << 8),
      SQLiteCode(rawValue: 10 | 4 << 8), SQLiteCode(rawValue: 7),
    ])
  func `whichever call of the file system fails, the file is old or new`(
    journal: Journal, code: SQLiteCode
  ) throws {
    let name = "faulty-\(journal)-\(code.rawValue)"
    let faulty = try #require(faulty_vfs_make(name))
    defer { faulty_vfs_free(faulty) }
    // As products have it: commits are gathered, over what fails.
    let layer = try #require(contrail_log_writer_make("\(name)-log", name))
    defer { contrail_log_writer_free(layer) }
    let folder = try ScratchFolder()
    let original = folder.file("original.db")
    try Self.fill(original, journal)
    for isLasting in [false, true] {
      var failures = 0
      for number in 1...Self.triesMax {
        let path = folder.file("\(isLasting)-\(number).db")
        try FileManager.default.copyItem(atPath: original, toPath: path)
        faulty_vfs_fail(faulty, Int32(FAULTY_ALL), Int64(number), code.rawValue, isLasting)
        let error = failure { () throws(SQLiteError) in
          let connection = try Connection(.file(path), vfs: "\(name)-log")
          defer { connection.close() }
          try Self.work(connection)
        }
        let state = try Self.state(path)
        // What was reported as done is there; what was reported as failed is there or not, whole.
        #expect(state == Self.new || (error != nil && state == Self.old), "call \(number)")
        if faulty_vfs_failure_count(faulty) == 0 {
          #expect(error == nil)
          break
        }
        failures += 1
      }
      #expect(failures > 10 && failures < Self.triesMax)
    }
  }

  @Test func `faults of a file system are met only by the calls that are meant`() throws {
    let faulty = try #require(faulty_vfs_make("faulty-counts"))
    defer { faulty_vfs_free(faulty) }
    let folder = try ScratchFolder()
    let path = folder.file("a.db")
    try Self.fill(path, .delete)
    faulty_vfs_fail(faulty, Int32(FAULTY_SYNC), 1, 10 | 4 << 8, true)
    let connection = try Connection(.file(path), vfs: "faulty-counts")
    defer { connection.close() }
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(3)]])
    #expect(faulty_vfs_call_count(faulty) == 0)
    let error = failure { () throws(SQLiteError) in
      try connection.execute("DELETE FROM t WHERE n = 1")
    }
    #expect(error?.code == SQLiteCode(rawValue: 10 | 4 << 8))
    #expect(error?.message == "disk I/O error")
    faulty_vfs_fail(faulty, 0, 0, 0, false)
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(3)]])
  }

  @Test func `a file system that nobody made is an error`() throws {
    let error = failure { () throws(SQLiteError) in _ = try Connection(.memory, vfs: "none") }
    #expect(error?.message == "no such vfs: none: :memory:")
  }
}
