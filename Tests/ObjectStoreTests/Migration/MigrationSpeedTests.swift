import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite(.serialized) struct MigrationSpeedTests {
  private func schema(_ names: [String]) -> Schema {
    Schema(entities: [
      .init(
        name: "Item",
        attributes: names.map {
          .init(name: $0, type: .integer64, defaultValue: .integer(Int64($0.utf8.count)))
        })
    ])
  }

  /// How many instructions of SQLite's machine it takes to add columns to a store of `count` rows: that
  /// says as much as a clock, and the same on every machine.
  private func work(_ count: Int) throws -> (statements: Int, scanned: Int) {
    let bench = try MigrationBench()
    try bench.open(schema(["a"]))
    do {
      let connection = try Connection(.file(bench.path), mode: .readWrite)
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
        INSERT INTO Item (_id, _version, a) SELECT i, 1, i FROM n
        """)
    }
    nonisolated(unsafe) var statements = 0
    nonisolated(unsafe) var scanned = 0
    var options = Store.Options()
    options.onWriter = { connection in
      connection.onStatement = { report in
        statements += 1
        scanned += report.scannedRows
      }
    }
    let store = try bench.open(schema(["a", "bb", "ccc"]), options)
    let context = ModelContext(store)
    let last = try #require(
      context.object(
        ObjectIdentity(store: store.identifier, entity: "Item", key: Int64(count))))
    #expect(try last.value("a") == .integer(Int64(count)))
    #expect(try last.value("bb") == .integer(2))
    #expect(try last.value("ccc") == .integer(3))
    return (statements, scanned)
  }

  @Test func `adding an attribute with a default costs the same however many objects there are`()
    throws
  {
    let (few, many) = (try work(10), try work(20_000))
    #expect(few == many)
  }
}
