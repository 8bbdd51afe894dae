import DataModel
import RecordWire
import SQLiteDriver
import Testing

@testable import RecordServer
@testable import RecordStorageSQLite

/// How SQLite finds what queries ask for.
@Suite struct QueryPlanTests {
  @Test func `no scan reads more than its range of an index, or sorts by itself`() throws {
    let connection = try Connection(.memory)
    for sql in StorageSQL.firstTables + StorageSQL.steps.flatMap(\.self) {
      try connection.execute(sql)
    }
    var statements = [ScanSQL.count]
    for isDescending in [false, true] {
      for (hasStart, isIncluded) in [(false, false), (true, false), (true, true)] {
        statements.append(
          ScanSQL.rows(isDescending: isDescending, hasStart: hasStart, isIncluded: isIncluded))
        statements.append(
          ScanSQL.names(
            start: hasStart ? IndexScan.Place([], "", isIncluded: isIncluded) : nil,
            isDescending: isDescending))
      }
    }
    for sql in statements {
      let plan = try connection.queryPlan(of: sql)
      let table = sql.contains("index_entry") ? "index_entry" : "record"
      #expect(plan.contains { $0.contains("SEARCH") && $0.contains("zone=?") }, "\(sql): \(plan)")
      for line in plan {
        #expect(!line.contains("SCAN") || line.contains("SCAN (subquery"), "\(sql): \(plan)")
        #expect(!line.contains("TEMP B-TREE"), "\(sql): \(plan)")
      }
      #expect(!table.isEmpty)
    }
    let after = try connection.queryPlan(
      of: ScanSQL.rows(isDescending: false, hasStart: true, isIncluded: false))
    #expect(after.contains { $0.contains("(value,name)>(?,?)") }, "\(after)")
  }

  @Test
  func `a write that changes nothing of an entry leaves it alone, and a deletion takes it away`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.file("r")
    let storage = try SQLiteStorage(at: path, newEpoch: 7)
    let slot = IndexSlot(type: "Note", field: "text", kind: .value)
    func write(_ values: [UInt8], isDeleted: Bool = false) async throws -> [String] {
      try await storage.write { transaction in
        _ = try transaction.write(
          [
            RecordWrite(
              Samples.row("a", isDeleted: isDeleted), entries: values.map { IndexEntry(slot, [$0]) }
            )
          ], in: Samples.notes)
      }
      let connection = try Connection(.file(path))
      let rows = try connection.prepare(
        "SELECT hex(value) FROM index_entry UNION ALL SELECT 'list' FROM index_list")
      var found: [String] = []
      while try rows.step() { found.append(rows.text(0)) }
      return found
    }
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    #expect(try await write([1, 2]) == ["01", "02", "list"])
    #expect(try await write([1, 2]) == ["01", "02", "list"])
    #expect(try await write([3, 2]) == ["02", "03", "list"])
    #expect(try await write([], isDeleted: true) == [])
    #expect(try await write([4]) == ["04", "list"])
    try await storage.write { try $0.deleteZone(Samples.notes) }
    let connection = try Connection(.file(path))
    let left = try connection.prepare("SELECT count(*) FROM index_entry, index_list")
    #expect(try left.step() && left.integer(0) == 0)
  }

  @Test func `a slot that has ended goes away step by step, and nothing of it stays`() async throws
  {
    let folder = try ScratchFolder()
    let path = folder.file("r")
    let storage = try SQLiteStorage(at: path, newEpoch: 7)
    let slots = ["gone", "kept"].map { IndexSlot(type: "Note", field: $0, kind: .value) }
    try await storage.write { transaction in
      _ = try transaction.createZone(Samples.notes, epoch: 1)
      let records = (0..<10).map { number in
        RecordWrite(Samples.row("r\(number)"), entries: slots.map { IndexEntry($0, [1]) })
      }
      _ = try transaction.write(records, in: Samples.notes)
      try transaction.retire(slots[0])
    }
    var steps = 0
    while try await storage.write({ try $0.dropRetiredEntries(limit: 4) }) == false { steps += 1 }
    // Three with entries, and one for the slot itself.
    #expect(steps == 4)
    let connection = try Connection(.file(path))
    let rows = try connection.prepare(
      "SELECT s.field, count(*) FROM index_slot AS s LEFT JOIN index_entry AS e ON e.slot = s.number GROUP BY s.number"
    )
    var found: [String] = []
    while try rows.step() { found.append("\(rows.text(0)) \(rows.integer(1))") }
    #expect(found == ["kept 10"])
  }

  @Test func `lists of entries are read as they were written, and damaged ones as far as they go`()
  {
    let entries = [
      EntryList.Entry(slot: 1, value: []), .init(slot: 300, value: [1, 2, 3]),
      .init(slot: .max, value: Array(repeating: 9, count: 257)),
    ]
    let bytes = EntryList(entries).bytes
    #expect(EntryList(bytes: bytes).entries == entries)
    for count in bytes.indices {
      #expect(EntryList(bytes: Array(bytes.prefix(count))).entries.count < 3)
    }
    #expect(EntryList(bytes: Array(repeating: 255, count: 40)).entries == [])
  }
}
