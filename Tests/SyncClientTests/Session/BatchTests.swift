import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// How much one request and one transaction have.
@Suite struct BatchTests {
  let hall = RecordHall()
  let ann: Device

  init() throws { ann = try Device(1, hall, schema: TwoDevicesTests.schema) }

  /// What was asked of the server, in order.
  private final class Asked: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func note(_ text: String) { list.withLock { $0.append(text) } }
  }

  /// The tails that pushes send, and the bytes that pulls ask for; the first push and the first pull that
  /// `loses` names get no answer.
  private func watch(losing lost: [String] = []) -> Asked {
    let asked = Asked()
    let (push, pull) = (Once(), Once())
    hall.setGate { call in
      switch call.path {
      case "records/modify":
        let operations = (try? ModifyRequest(json: call.body))?.operations ?? []
        let tails = operations.compactMap { operation in
          (try? operation.record.allFields())?["tail"]?.value.shown.prefix(2)
        }
        asked.note("push " + tails.joined(separator: " "))
        return lost.contains("push") && push.first() ? .loseRequest : .pass
      case "changes/zone":
        let options = (try? ZoneChangesRequest(json: call.body))?.zones.first?.options
        asked.note("pull \(options?.pageBytes ?? 0)")
        return lost.contains("pull") && pull.first() ? .loseRequest : .pass
      default: return .pass
      }
    }
    return asked
  }

  /// Makes entries in one transaction; each has so many bytes.
  private func insert(_ tails: String..., bytes: Int = 2) throws {
    try ann.edit { context in
      for tail in tails {
        let text = tail + String(repeating: ".", count: bytes - 2)
        try context.insert("Entry").setValue("tail", .string(text))
      }
    }
  }

  @Test func `changes made together that do not fit into a request go with the next one`()
    async throws
  {
    try await ann.sync()
    _ = try await ann.carryOut(.schema)
    // Few bytes, and many operations.
    var size = BatchSize(limit: 12_800)
    for _ in 0..<6 { _ = size.halve() }
    #expect(size.currentBytes == BatchSize.bytesMin)
    ann.session.batchSize = size
    try insert("A1", bytes: 14_000)
    try insert("B1", "B2", bytes: 3_000)
    let asked = watch()
    try await ann.sync()
    #expect(asked.all.filter { $0.hasPrefix("push") } == ["push A1", "push B1 B2"])
    #expect(!ann.reports.contains { if case .unitSplit = $0 { true } else { false } })
  }

  @Test func `what is too large for any request is sent in parts`() async throws {
    try await ann.sync()
    _ = try await ann.carryOut(.schema)
    ann.session.batchSize = BatchSize(limit: 2)
    try insert("A1", "A2", "A3", "A4", "A5")
    try insert("B1")
    let asked = watch()
    try await ann.sync()
    #expect(
      asked.all.filter { $0.hasPrefix("push") } == ["push A1 A2", "push A3 A4", "push A5 B1"])
  }

  @Test func `a push without an answer is half as large the next time, and grows back`()
    async throws
  {
    try await ann.sync()
    _ = try await ann.carryOut(.schema)
    ann.session.batchSize = BatchSize(limit: 8)
    for number in 10..<30 { try insert("\(number)") }
    let asked = watch(losing: ["push"])
    try await ann.sync()
    let counts = asked.all.filter { $0.hasPrefix("push") }.map {
      $0.split(separator: " ").count - 1
    }
    #expect(counts == [8, 4, 4, 5, 6, 1])
    #expect(ann.session.batchSize.currentBytes == BatchSize.bytesMax)
    #expect(try ann.bases().count == 20)
  }

  @Test func `a page without an answer is half as large the next time, and grows back`()
    async throws
  {
    try await ann.sync()
    let asked = watch(losing: ["pull"])
    for _ in 0..<2 { try await ann.sync() }
    #expect(asked.all == [1 << 20, 1 << 19, 1 << 20].map { "pull \($0)" })
  }

  @Test func `much that was done is taken in before a step, in transactions of its own`()
    async throws
  {
    try await ann.sync()
    let count = Int(HistoryIntake.objectsMax) + 500
    try ann.edit { context in
      for _ in 0..<count { _ = try context.insert("Tag") }
    }
    let connection = try ann.session.write { _, rows in rows.connection }
    var commits = 0
    connection.onStatement = { if $0.sql == "COMMIT" { commits += 1 } }
    defer { connection.onStatement = nil }
    guard case .call = try ann.session.begin(.pull, now: hall.now()) else {
      Issue.record("nothing is read")
      return
    }
    connection.onStatement = nil
    let changes = try ann.changes(.pending)
    #expect(changes.map(\.count) == [HistoryIntake.objectsMax])
    // The step itself takes in the rest, as of the same moment.
    _ = try await ann.carryOut(.pull)
    let all = try ann.changes(.pending)
    #expect(all.map(\.count) == [HistoryIntake.objectsMax, 500])
    #expect(Set(all.map(\.unit)).count == 1)
    #expect(commits > 0)
  }

  @Test func `what was there before sync is taken in before a step, with its pairs`() async throws {
    try ann.edit { context in
      let entry = try context.insert("Entry")
      for _ in 0..<3 { try entry.addRelated("tags", context.insert("Tag")) }
    }
    let ben = try Device(2, hall, schema: TwoDevicesTests.schema)
    try ann.session.write { _, rows in
      // As if the store had been filled before it was set up.
      let newest = try rows.connection.newestHistory()
      try rows.set(.cursorTransaction, newest.transaction)
      try rows.set(.cursorChange, newest.change)
      for type in ann.session.objects.objectTypes {
        guard let last = try type.lastKey(rows.connection) else { continue }
        try rows.setBackfill(Backfill(entity: type.number, next: 1, last: last))
      }
    }
    _ = try ann.session.begin(.pull, now: hall.now())
    #expect(try ann.changes(.pending).map { Int($0.count) }.reduce(0, +) == 7)
    #expect(try ann.session.read { try $0.nextBackfill() } == nil)
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.bases() == ann.bases())
    #expect(try ben.bases().count == 7)
  }
}
