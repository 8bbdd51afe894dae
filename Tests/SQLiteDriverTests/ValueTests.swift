import DataModel
import FoundationEssentials
import SQLiteDriver
import Testing

struct ValueTests {
  @Test func `the five storage classes come back as they went in`() throws {
    let connection = try Connection(.memory)
    let values: [FieldValue] = [
      .null, .integer(.min), .integer(.max), .double(.infinity), .double(-0.0), .string(""),
      .string("a\u{0}b"), .string("👩🏽‍🚀"), .data([]), .data([0, 1, 255]),
      .string(String(repeating: "ü", count: 20_000)), .data([UInt8](repeating: 7, count: 20_000)),
    ]
    for value in values {
      #expect(
        try connection.rows("SELECT ?1, ?1 IS NULL", value) == [
          [value, .integer(value == .null ? 1 : 0)]
        ])
    }
  }

  @Test func `SQLite makes null of NaN`() throws {
    let connection = try Connection(.memory)
    #expect(try connection.rows("SELECT ?1", .double(.nan)) == [[.null]])
  }

  @Test func `what no storage class holds is a mismatch`() throws {
    let connection = try Connection(.memory)
    for value in [FieldValue.boolean(true), .uuid(UUID()), .date(Date()), .list([])] {
      let error = failure { () throws(SQLiteError) in _ = try connection.rows("SELECT ?1", value) }
      #expect(error == SQLiteError(code: .mismatch, message: "datatype mismatch", sql: "SELECT ?1"))
    }
  }

  @Test func `text that is no UTF-8 is repaired, and its bytes stay readable`() throws {
    let connection = try Connection(.memory)
    let statement = try connection.prepare("SELECT CAST(x'61ff0062' AS TEXT)")
    #expect(try statement.step())
    #expect(statement.kind(0) == .text)
    #expect(statement.bytes(0) == [0x61, 0xff, 0, 0x62])
    #expect(statement.text(0) == "a\u{FFFD}\u{0}b")
  }

  @Test func `a column or a row that is not there reads as null`() throws {
    let connection = try Connection(.memory)
    let statement = try connection.prepare("SELECT 1")
    #expect(statement.value(0) == .null)
    #expect(try statement.step())
    #expect(statement.value(1) == .null)
    #expect(statement.value(-1) == .null)
    #expect(statement.columnName(7) == "")
    #expect(try !statement.step())
    #expect(statement.value(0) == .null)
  }
}
