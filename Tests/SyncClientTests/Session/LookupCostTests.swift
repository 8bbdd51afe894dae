import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore
import Testing

@testable import SyncClient

/// What a question about one record or one unit costs does not depend on how many there are.
@Suite struct LookupCostTests {
  static let count = 300

  let hall = RecordHall()
  let ann: Device

  init() throws { ann = try Device(1, hall, schema: TwoDevicesTests.schema) }

  /// Makes entries with a tag each.
  private func insertEntries() throws {
    try ann.edit { context in
      for number in 0..<Self.count {
        let entry = try context.insert("Entry")
        try entry.setValue("tail", .string("N\(number)"))
        let tag = try context.insert("Tag")
        try entry.addRelated("tags", tag)
      }
    }
  }

  /// Edits all entries, each in a transaction of its own.
  private func editEntries() throws {
    let context = ModelContext(ann.store)
    for entry in try context.fetch(FetchRequest("Entry")) {
      try entry.setValue("hours", .integer(3))
      try context.save()
    }
  }

  /// The statements about changes and records that looked at many rows without an index, or sorted them,
  /// while `body` ran.
  private func expensive(_ body: () async throws -> Void) async throws -> Set<String> {
    let connection = try ann.session.write { _, rows in rows.connection }
    var found: Set<String> = []
    connection.onStatement = { report in
      let tables = ["contrail_sync_change", "contrail_sync_record"]
      guard tables.contains(where: { report.sql.contains($0) }) else { return }
      if report.scannedRows > 10 || report.sorts > 0 || report.indexedRows > 0 {
        found.insert(report.sql)
      }
    }
    defer { connection.onStatement = nil }
    try await body()
    return found
  }

  @Test
  func `objects that were there before, edits and deletions are sent without reading tables whole`()
    async throws
  {
    let found = try await expensive {
      try insertEntries()
      try await ann.sync()
      try editEntries()
      try await ann.sync()
      try ann.edit { context in
        for entry in try context.fetch(FetchRequest("Entry")) { try context.delete(entry) }
      }
      try await ann.sync()
    }
    #expect(found == [])
    #expect(try ann.bases().count == Self.count)
  }

  @Test func `what others did is taken in beside many changes without reading tables whole`()
    async throws
  {
    try insertEntries()
    try await ann.sync()
    let ben = try Device(2, hall, schema: TwoDevicesTests.schema)
    try await ben.sync()
    try editEntries()
    for tail in ["D-EXYZ", "HB-ABC"] {
      try ben.edit { try $0.insert("Entry").setValue("tail", .string(tail)) }
    }
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("changed")) }
    try await ben.sync()
    let found = try await expensive { _ = try await ann.carryOut(.pull) }
    #expect(found == [])
    #expect(try ann.changes(.pending).count == Self.count)
  }

  @Test func `all that a new zone lacks is sent again without reading tables whole`() async throws {
    try insertEntries()
    try await ann.sync()
    let found = try await expensive {
      try ann.session.write { _, rows in try rows.set(.trouble, Trouble.zoneReset.rawValue) }
      try ann.session.resolve(.reupload, now: hall.now())
    }
    #expect(found == [])
    #expect(try ann.changes(.pending).count == 3 * Self.count)
  }

  @Test func `a store that was set up long ago gets the indexes that it lacks`() throws {
    let fresh = try indexes()
    try ann.session.write { _, rows in
      for name in fresh { try rows.connection.execute("DROP INDEX \(name)") }
      try rows.connection.execute(
        """
        CREATE INDEX contrail_sync_change_record ON contrail_sync_change (record, state)
        """)
    }
    try ann.restart()
    #expect(try indexes() == fresh)
    #expect(fresh.count == 4)
  }

  /// The names of the indexes that came after the tables, and of those that went.
  private func indexes() throws -> [String] {
    let old = ["contrail_sync_change_unit", "contrail_sync_waiting_target"]
    return try ann.session.read { rows in
      let statement = try rows.connection.prepare(
        """
        SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'contrail_sync_*' \
        AND sql NOT LIKE 'CREATE UNIQUE%' ORDER BY name
        """)
      var names: [String] = []
      while try statement.step() { names.append(statement.text(0)) }
      return names.filter { !old.contains($0) }
    }
  }
}
