import CLogWriter
import CSQLite
import DataModel
import FaultyVFS
import Foundation
import Testing

@testable import SQLiteDriver

/// The file system layer that writes the pages of one commit to the log together.
@Suite struct LogWriterTests {
  /// A layer over one that counts and fails.
  private final class Layer {
    let name: String
    let faulty: OpaquePointer
    private let layer: UnsafeMutablePointer<sqlite3_vfs>

    init(_ name: String) throws {
      self.name = name
      let beneath = "\(name)-beneath"
      faulty = try #require(faulty_vfs_make(beneath))
      layer = try #require(contrail_log_writer_make(name, beneath))
    }

    deinit {
      contrail_log_writer_free(layer)
      faulty_vfs_free(faulty)
    }

    /// How often the file system is asked to write while `body` runs.
    func writes(_ body: () throws -> Void) rethrows -> Int64 {
      faulty_vfs_fail(faulty, Int32(FAULTY_WRITE), 0, 0, false)
      try body()
      return faulty_vfs_call_count(faulty)
    }

    /// Makes write `number` fail, and all after it if `isLasting`.
    func failWrite(_ number: Int, isLasting: Bool) {
      faulty_vfs_fail(faulty, Int32(FAULTY_WRITE), Int64(number), SQLITE_FULL, isLasting)
    }
  }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A database with a log, with rows of a third of a page.
  private func open(
    _ name: String, _ layer: String? = nil, cachePages: Int = 2000
  ) throws -> Connection {
    let connection = try Connection(.file(folder.file(name)), vfs: layer)
    try connection.setPragma("journal_mode", to: "wal")
    try connection.setPragma("wal_autocheckpoint", to: "0")
    try connection.setPragma("cache_size", to: "\(cachePages)")
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, data BLOB); CREATE INDEX IF NOT EXISTS i ON t (data)"
    )
    return connection
  }

  private func insert(
    _ numbers: ClosedRange<Int>, into connection: Connection
  ) throws(SQLiteError) {
    for number in numbers {
      try connection.execute("INSERT INTO t VALUES (\(number), zeroblob(1300) || \(number))")
    }
  }

  private func numbers(_ connection: Connection) throws -> [FieldValue] {
    try connection.rows("SELECT n FROM t ORDER BY n").map { $0[0] }
  }

  /// What somebody finds who comes after this process was killed: the file and its log, without the log's index.
  private func recovered(_ name: String, _ step: Int) throws -> [[FieldValue]] {
    let copy = folder.file("\(name)-\(step)")
    for suffix in ["", "-wal"] {
      let original = folder.file(name + suffix)
      if !FileManager.default.fileExists(atPath: original) { continue }
      try FileManager.default.copyItem(atPath: original, toPath: copy + suffix)
    }
    let connection = try Connection(.file(copy), vfs: "unix")
    defer { connection.close() }
    #expect(try connection.rows("PRAGMA integrity_check") == [[.string("ok")]])
    return try connection.rows("SELECT n, data FROM t ORDER BY n")
  }

  @Test func `the pages of a commit are written in one call`() throws {
    let layer = try Layer("gather-count")
    let connection = try open("a.db", layer.name)
    defer { connection.close() }
    let first = try layer.writes { try insert(1...1, into: connection) }
    let several = try layer.writes {
      try connection.transaction { () throws(SQLiteError) in try insert(2...9, into: connection) }
    }
    #expect([first, several] == [1, 1])
    #expect(try numbers(connection).count == 9)
  }

  @Test func `a commit of many pages takes a call for sixteen of them`() throws {
    let layer = try Layer("gather-many")
    let connection = try open("a.db", layer.name)
    defer { connection.close() }
    let frames = { try connection.rows("PRAGMA wal_checkpoint(PASSIVE)")[0][1] }
    let before = try frames()
    let writes = try layer.writes {
      try connection.transaction { () throws(SQLiteError) in try insert(1...500, into: connection) }
    }
    guard case .integer(let old) = before, case .integer(let new) = try frames() else {
      Issue.record("no number of pages")
      return
    }
    // The first pages take the places of those that were in the log before.
    #expect(new - old > 150)
    #expect(writes <= new / 15 + 2)
  }

  @Test func `another connection sees each commit at once`() throws {
    let (one, other) = (try open("a.db"), try open("a.db"))
    defer {
      one.close()
      other.close()
    }
    for number in 1...40 {
      let writer = number.isMultiple(of: 2) ? one : other
      try insert(number...number, into: writer)
      let reader = number.isMultiple(of: 2) ? other : one
      #expect(try numbers(reader).count == number)
    }
  }

  @Test func `what was rolled back is not written over what others commit after it`() throws {
    // So little memory that pages go to the log before the commit.
    let (one, other) = (try open("a.db", cachePages: 5), try open("a.db"))
    defer {
      one.close()
      other.close()
    }
    try insert(1...3, into: one)
    for round in 0..<6 {
      try one.execute("BEGIN IMMEDIATE")
      try insert(1000...(1006 + 2 * round), into: one)
      try one.execute("ROLLBACK")
      try insert((10 + round)...(10 + round), into: other)
      // Whatever the first connection still had would be written by now.
      #expect(try numbers(one).count == 4 + round)
      try insert((100 + round)...(100 + round), into: one)
      try one.execute("DELETE FROM t WHERE n = \(100 + round)")
      #expect(try recovered("a.db", round).count == 4 + round)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `after every commit all of it is in the files, whatever went before`(seed: UInt64) throws {
    var random = Generator(state: seed)
    let connection = try open("r\(seed).db", cachePages: 4)
    defer { connection.close() }
    var next = 1
    for step in 1...30 {
      _ = failure { () throws(SQLiteError) in
        try connection.transaction { () throws(SQLiteError) in
          for _ in 0..<Int.random(in: 0..<4, using: &random) {
            _ = failure { () throws(SQLiteError) in
              try connection.savepoint { () throws(SQLiteError) in
                try insert(next...(next + Int.random(in: 0..<20, using: &random)), into: connection)
                // Pages that may be in the log already change once more.
                try connection.execute("UPDATE t SET data = data || 'x' WHERE n % 7 = \(step % 7)")
                if Int.random(in: 0..<3, using: &random) == 0 { throw .misuse("undone", sql: nil) }
              }
            }
            next += 25
            try insert(next...(next + 3), into: connection)
            next += 25
          }
          if Int.random(in: 0..<4, using: &random) == 0 { throw .misuse("undone", sql: nil) }
        }
      }
      if Int.random(in: 0..<6, using: &random) == 0 {
        try connection.execute("PRAGMA wal_checkpoint(RESTART)")
      }
      let here = try connection.rows("SELECT n, data FROM t ORDER BY n")
      #expect(try recovered("r\(seed).db", step) == here, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: [false, true])
  func `whichever write fails, a transaction is there as a whole or not at all`(
    isLasting: Bool
  ) throws {
    let layer = try Layer("gather-fail-\(isLasting)")
    var failures = 0
    for number in 1...FaultTests.triesMax {
      let name = "\(isLasting)-\(number).db"
      let connection = try open(name, layer.name, cachePages: 5)
      try insert(1...3, into: connection)
      layer.failWrite(number, isLasting: isLasting)
      let error = failure { () throws(SQLiteError) in
        try connection.transaction { () throws(SQLiteError) in try insert(4...40, into: connection)
        }
      }
      layer.failWrite(0, isLasting: false)
      #expect(error == nil || error?.code.primary == .full)
      #expect(try numbers(connection).count == (error == nil ? 40 : 3))
      #expect(try recovered(name, 0).count == (error == nil ? 40 : 3))
      // The connection goes on.
      try insert(50...50, into: connection)
      #expect(try recovered(name, 1).count == (error == nil ? 41 : 4))
      connection.close()
      if error == nil { break }
      failures += 1
    }
    #expect(failures > 3 && failures < FaultTests.triesMax)
  }

  @Test func `a file that nobody changes is read without a log`() throws {
    let written = try open("a.db")
    try insert(1...2, into: written)
    try written.setPragma("journal_mode", to: "delete")
    written.close()
    let frozen = try Connection(.file(folder.file("a.db")), mode: .frozen)
    defer { frozen.close() }
    #expect(try numbers(frozen).count == 2)
  }

  @Test func `a file can leave the log and take it up again`() throws {
    let connection = try open("a.db")
    defer { connection.close() }
    for (step, mode) in ["delete", "wal", "truncate", "wal"].enumerated() {
      try connection.setPragma("journal_mode", to: mode)
      try insert((10 * step + 1)...(10 * step + 9), into: connection)
      #expect(try recovered("a.db", step).count == 9 * (step + 1))
    }
  }

  @Test func `what fails after pages went to the log takes its transaction with it`() throws {
    let connection = try open("a.db", cachePages: 4)
    defer { connection.close() }
    try insert(1...3, into: connection)
    let error = failure { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        let rows = (10...90).map { "(\($0), zeroblob(1300) || \($0))" } + ["(10, NULL)"]
        let refused = failure { () throws(SQLiteError) in
          try connection.execute("INSERT INTO t VALUES \(rows.joined(separator: ","))")
        }
        #expect(refused?.code.primary == .constraint)
        try insert(4...4, into: connection)
      }
    }
    #expect(error?.code == .abortedByRollback)
    try insert(5...5, into: connection)
    #expect(try recovered("a.db", 0).map { $0[0] } == [1, 2, 3, 5].map { .integer($0) })
  }

  @Test func `what keeps pages in memory is not reported`() throws {
    let connection = try open("a.db")
    defer { connection.close() }
    var reported: [String] = []
    connection.onStatement = { reported.append($0.sql) }
    try connection.transaction { () throws(SQLiteError) in
      try connection.savepoint { () throws(SQLiteError) in try insert(1...1, into: connection) }
    }
    connection.onStatement = nil
    #expect(reported.count == 5)
    #expect(!reported.contains { $0.contains("cache_spill") })
  }

  @Test func `a name that looks like an address is a name`() throws {
    // As an address this would be memory, and no file at all.
    let path = "file:" + folder.file("none") + "/a.db?mode=memory"
    let error = failure { () throws(SQLiteError) in _ = try Connection(.file(path)) }
    #expect(error?.code.primary == .cannotOpen)
  }
}
