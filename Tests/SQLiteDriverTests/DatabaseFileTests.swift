import Foundation
import Testing

@testable import SQLiteDriver

struct DatabaseFileTests {
  /// What reading the header of a file with these bytes throws.
  static func problem(_ bytes: [UInt8]) throws -> DatabaseFileError.Problem? {
    let folder = try ScratchFolder()
    let path = folder.file("a.db")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return problem(at: path)
  }

  static func problem(at path: String) -> DatabaseFileError.Problem? {
    do throws(DatabaseFileError) {
      _ = try DatabaseFile(reading: path)
      return nil
    } catch {
      #expect(error.description.hasPrefix(path))
      return error.problem
    }
  }

  static func database() throws -> [UInt8] {
    let connection = try Connection(.memory)
    try connection.execute(
      """
      PRAGMA page_size = 1024; PRAGMA application_id = -5; PRAGMA user_version = 12;
      CREATE TABLE t (n); INSERT INTO t VALUES (zeroblob(5000));
      """)
    return try connection.serialize()
  }

  @Test func `a header tells sizes and numbers`() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.db")
    let bytes = try Self.database()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try DatabaseFile(reading: path)
    #expect(file.byteCount == Int64(bytes.count))
    #expect(file.pageSize == 1024)
    #expect(file.pageCount == Int64(bytes.count / 1024))
    #expect(file.applicationID == -5)
    #expect(file.userVersion == 12)
    #expect(!file.isWriteAheadLogged)
  }

  @Test func `the largest page size has a number of its own`() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.db")
    let connection = try Connection(.file(path))
    try connection.setPragma("page_size", to: 65_536)
    try connection.setPragma("journal_mode", to: "wal")
    try connection.execute("CREATE TABLE t (n)")
    connection.close()
    let file = try DatabaseFile(reading: path)
    #expect(file.pageSize == 65_536)
    #expect(file.pageCount == 2)
    #expect(file.isWriteAheadLogged)
  }

  @Test func `what is no sound database is named`() throws {
    let database = try Self.database()
    #expect(try Self.problem([]) == .empty)
    #expect(try Self.problem(Array("hello".utf8)) == .notADatabase)
    #expect(try Self.problem([UInt8](repeating: 0, count: 4096)) == .notADatabase)
    #expect(
      try Self.problem(Array(database.prefix(99)))
        == .truncated(expectedBytes: 100, foundBytes: 99))
    #expect(
      try Self.problem(Array(database.dropLast(1024)))
        == .truncated(
          expectedBytes: Int64(database.count), foundBytes: Int64(database.count - 1024)))
    var oddPage = database
    oddPage[16] = 3
    oddPage[17] = 1
    #expect(try Self.problem(oddPage) == .notADatabase)
    var generator = Generator(state: 42)
    let random = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(try Self.problem(random) == .encrypted)
    #expect(try Self.problem(Array(random.dropLast())) == .notADatabase)
  }

  @Test func `paths that lead to no file are named`() throws {
    let folder = try ScratchFolder()
    #expect(Self.problem(at: folder.file("none.db")) == .absent)
    #expect(Self.problem(at: folder.path) == .notAFile)
    #expect(Self.problem(at: "/dev/zero") == .notAFile)
    #expect(Self.problem(at: "a\u{0}b") == .absent)
  }

  @Test func `a file with a log beside it is not called cut short`() throws {
    let folder = try ScratchFolder()
    let path = folder.file("a.db")
    try Data(try Self.database().dropLast(1024)).write(to: URL(fileURLWithPath: path))
    try Data([1]).write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(Self.problem(at: path) == nil)
  }
}

/// Random numbers that are the same each time.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
