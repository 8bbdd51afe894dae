import DataModel
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// What production lacks waits, quietly.
@Suite struct ParkingTests {
  private static func entity(_ name: String, _ attributes: String...) -> Schema.Entity {
    Schema.Entity(
      name: name,
      attributes: attributes.map { Schema.Attribute(name: $0, type: .string, isOptional: true) })
  }

  static let schema = Schema(
    name: "Log",
    entities: [entity("Entry", "tail", "remarks", "mood"), entity("Crew", "name", "rank")])
  static let old = Schema(name: "Log", entities: [entity("Entry", "tail")])

  let hall = RecordHall(.production)

  private func device(_ number: UInt64) async throws -> Device {
    try await hall.promote(Self.old)
    return try Device(number, hall, schema: Self.schema)
  }

  private func insertEntries(_ device: Device) throws {
    for tail in ["N1", "N2"] {
      try device.edit { context in
        let entry = try context.insert("Entry")
        try entry.setValue("tail", .string(tail))
        try entry.setValue("remarks", .string("calm"))
        try entry.setValue("mood", .string("good"))
      }
    }
    try device.edit { try $0.insert("Crew").setValue("name", .string("Amelia")) }
  }

  /// The parked changes: how many records they have, and which fields.
  private func parked(_ device: Device) throws -> [String] {
    try device.changes(.parked).map { row in
      "\(row.count) \(row.change.edits.map(\.name).sorted().joined(separator: " "))"
    }.sorted()
  }

  private static let told = [
    #"parked {"type":"Crew","fields":[]}"#, #"parked {"type":"Entry","fields":["mood","remarks"]}"#,
    #"parked {"type":"Entry","fields":["mood","remarks"]}"#,
  ]

  @Test func `what waits is told of once, and stays as it is from pass to pass`() async throws {
    let ann = try await device(1)
    try insertEntries(ann)
    try await ann.sync()
    #expect(try parked(ann) == ["1 ", "1 mood remarks", "1 mood remarks"])
    let before = try ann.changes(.parked)
    for _ in 0..<3 { #expect(try await ann.sync().outcome == .complete) }
    #expect(try ann.changes(.parked) == before)
    #expect(try ann.log([.parked]).sorted() == Self.told)
  }

  @Test func `what is promoted is sent, and what is lacking still goes on waiting`() async throws {
    let (ann, ben) = (try await device(1), try await device(2))
    try insertEntries(ann)
    try await ann.sync()
    try await hall.promote(
      Schema(name: "Log", entities: [Self.entity("Entry", "tail", "remarks")]))
    try await ann.sync()
    try await ben.sync()
    #expect(try parked(ann) == ["1 ", "1 mood", "1 mood"])
    #expect(try ben.objects("Entry") == ["remarks=calm tail=N1", "remarks=calm tail=N2"])
    #expect(try ann.log([.parked]).sorted() == Self.told)
    try await hall.promote(Self.schema)
    try await ann.sync()
    try await ben.sync()
    #expect(try parked(ann) == [])
    #expect(
      try ben.objects("Entry") == [
        "mood=good remarks=calm tail=N1", "mood=good remarks=calm tail=N2",
      ])
    #expect(try ben.objects("Crew") == ["name=Amelia"])
  }

  @Test func `what is refused stays so when what waited beside it is refused for another reason`()
    async throws
  {
    let (ann, ben) = (try await device(1), try await device(2))
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit(first: "Entry") { entry in
      try entry.setValue("tail", .string("N2"))
      try entry.setValue("remarks", .string("calm"))
    }
    for code in [ErrorCode.badRequest, .accessDenied] {
      hall.setGate { $0.path == "records/modify" ? .refuse(code) : .pass }
      try await ben.sync()
      hall.setGate(nil)
      #expect(try ben.store.failedChanges().map(\.code) == [code.rawValue])
      try await hall.promote(Self.schema)
    }
    #expect(try parked(ben) == [])
    #expect(try ben.store.retryFailedChanges() == 1)
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] { #expect(try device.objects("Entry") == ["remarks=calm tail=N2"]) }
    #expect(try ben.store.failedChanges() == [])
    #expect(try await ben.verify().shown == [])
  }

  @Test func `what waits is not refused with what was sent, nor tried again with it`() async throws
  {
    let (ann, ben) = (try await device(1), try await device(2))
    ben.configuration.rules = ["Entry": ["remarks": .client]]
    try ben.restart()
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit(first: "Entry") { entry in
      try entry.setValue("tail", .string("N2"))
      try entry.setValue("remarks", .string("calm"))
    }
    hall.setGate { $0.path == "records/modify" ? .refuse(.badRequest) : .pass }
    try await ben.sync()
    hall.setGate(nil)
    #expect(try ben.changes(.failed).map { $0.change.edits.map(\.name) } == [["tail"]])
    #expect(try parked(ben) == ["1 remarks"])
    #expect(try ben.log([.parked]).count == 1)
    try await hall.promote(Self.schema)
    for device in [ben, ann] { try await device.sync() }
    try ann.edit(first: "Entry") { try $0.setValue("remarks", .string("windy")) }
    // Ann asks again what is lacking once something waits.
    for _ in 0..<2 { try await ann.sync() }
    #expect(try ben.store.retryFailedChanges() == 1)
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] {
      let entries = try device.objects("Entry")
      #expect(entries == ["remarks=windy tail=N2"], "\(entries)")
    }
    #expect(try await ben.verify().shown == [])
  }

  @Test func `a counter that waited for its promotion is counted once, though the answer is lost`()
    async throws
  {
    let counting = TwoDevicesTests.schema
    try await hall.promote(Self.old)
    let (ann, ben) = (
      try Device(1, hall, schema: counting), try Device(2, hall, schema: counting)
    )
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    for device in [ann, ben] { try await device.sync() }
    try ann.edit(first: "Entry") { try $0.setValue("hours", .integer(2)) }
    try await ann.sync()
    #expect(try parked(ann) == ["1 hours"])
    // What is later overtakes it.
    try ann.edit(first: "Entry") { try $0.setValue("tail", .string("N2")) }
    try await ann.sync()
    try await hall.promote(counting)
    for step in [SyncStep.pull, .schema] { _ = try await ann.carryOut(step) }
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    #expect(try await ann.carryOut(.push) == .unanswered("lost"))
    hall.setGate(nil)
    try ann.edit(first: "Entry") { try $0.setValue("hours", .integer(5)) }
    for device in [ann, ben, ann] { try await device.sync() }
    for device in [ann, ben] { #expect(try device.objects("Entry") == ["hours=5 tail=N2"]) }
  }

  @Test func `what waits beside what is too large is sent once it is promoted, and only that`()
    async throws
  {
    let ann = try await device(1)
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    try await ann.sync()
    try ann.edit(first: "Entry") { entry in
      try entry.setValue(
        "tail", .string(String(repeating: "x", count: WireLimits.request.recordBytesMax + 1)))
      try entry.setValue("remarks", .string("calm"))
    }
    try await ann.sync()
    #expect(try ann.changes(.failed).map { $0.change.edits.map(\.name) } == [["tail"]])
    try await hall.promote(Self.schema)
    for _ in 0..<2 { try await ann.sync() }
    #expect(try parked(ann) == [])
    #expect(try ann.changes(.failed).map { $0.change.edits.map(\.name) } == [["tail"]])
    let ben = try await device(2)
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["remarks=calm tail=N1"])
  }

  @Test func `a server that only refuses what it lacks is tried again without another word`()
    async throws
  {
    let ann = try await device(1)
    ann.configuration.usesExtensions = false
    try ann.restart()
    try insertEntries(ann)
    try await ann.sync()
    #expect(try parked(ann) == ["1 ", "1 mood remarks", "1 mood remarks"])
    let told = try ann.log([.parked])
    // As long as a device waits before it tries again.
    hall.pass(seconds: 300)
    hall.forgetCalls()
    try await ann.sync()
    #expect(hall.calls.contains("records/modify"))
    #expect(try parked(ann) == ["1 ", "1 mood remarks", "1 mood remarks"])
    #expect(try ann.log([.parked]) == told)
  }

  @Test func `what waits is tried again with what was edited since`()
    async throws
  {
    let (ann, ben) = (try await device(1), try await device(2))
    for device in [ann, ben] {
      device.configuration.usesExtensions = false
      try device.restart()
      try await device.sync()
    }
    try ann.edit { try $0.insert("Crew").setValue("name", .string("Amelia")) }
    for step in [SyncStep.schema, .push, .push] { _ = try await ann.carryOut(step) }
    #expect(try ann.changes(.parked).count == 1)
    try await hall.promote(Self.schema)
    hall.pass(seconds: 300)
    try ann.edit(first: "Crew") { try $0.setValue("rank", .string("captain")) }
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    _ = try await ann.carryOut(.push)
    hall.setGate(nil)
    #expect(try ann.changes(.parked) == [])
    try await ben.sync()
    try ben.edit(first: "Crew") { try $0.setValue("name", .string("Bessie")) }
    try ann.edit(first: "Crew") { try $0.setValue("rank", .string("pilot")) }
    for device in [ann, ben, ann] { try await device.sync() }
    for device in [ann, ben] {
      #expect(try device.objects("Crew") == ["name=Bessie rank=pilot"])
    }
  }

  @Test func `what waits of a record that could not be made goes with it when that is tried again`()
    async throws
  {
    let ann = try await device(1)
    try insertEntries(ann)
    hall.setGate { $0.path == "records/modify" ? .refuse(.quotaExceeded) : .pass }
    #expect(try await ann.sync().outcome == .trouble(.quotaExceeded))
    hall.setGate(nil)
    #expect(try ann.changes(.failed).map(\.change.kind) == [.create, .create])
    #expect(try parked(ann) == ["1 ", "1 mood remarks", "1 mood remarks"])
    try await hall.promote(
      Schema(name: "Log", entities: [Self.entity("Entry", "tail", "remarks", "mood")]))
    // What failed stays so until somebody has it tried again.
    try ann.session.resolve(.keepLocal, now: hall.now())
    for _ in 0..<2 { try await ann.sync() }
    #expect(try ann.changes(.failed).map(\.change.kind) == [.create, .create])
    #expect(try parked(ann) == ["1 "])
    #expect(try ann.bases() == [:])
    #expect(try ann.store.retryFailedChanges() == 2)
    try await ann.sync()
    let ben = try await device(2)
    try await ben.sync()
    #expect(
      try ben.objects("Entry") == [
        "mood=good remarks=calm tail=N1", "mood=good remarks=calm tail=N2",
      ])
  }

  @Test func `what waits of a record that was given up does not make it`() async throws {
    let ann = try await device(1)
    try insertEntries(ann)
    hall.setGate { $0.path == "records/modify" ? .refuse(.quotaExceeded) : .pass }
    try await ann.sync()
    hall.setGate(nil)
    #expect(try ann.store.discardFailedChanges() == 2)
    #expect(try parked(ann) == ["1 "])
    try await hall.promote(
      Schema(name: "Log", entities: [Self.entity("Entry", "tail", "remarks", "mood")]))
    try ann.session.resolve(.keepLocal, now: hall.now())
    for _ in 0..<2 { try await ann.sync() }
    #expect(try ann.bases() == [:])
  }

  @Test
  func `what waits of a record that the program does not know waits alone, and is tried seldom`()
    async throws
  {
    let ann = try await device(1)
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    try await ann.sync()
    let backup = hall.backup()
    try await hall.promote(Self.schema)
    try ann.edit { context in
      let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
      try entry.setValue("tail", .string("N2"))
      try entry.setValue("mood", .string("good"))
    }
    let ben = try Device(
      2, hall, schema: Schema(name: "Log", entities: [Self.entity("Crew", "name")]),
      policies: [.serverRestored: .reupload, .tokenExpired: .reupload])
    for device in [ann, ann, ben] { try await device.sync() }
    hall.restore(backup)
    try await ben.sync()
    #expect(try parked(ben) == ["1 mood"])
    #expect(try ben.changes(.pending) == [])
    hall.forgetCalls()
    for _ in 0..<10 { try await ben.sync() }
    // After a minute, and after two more.
    #expect(hall.calls.count { $0 == "schema/check" } == 10)
    #expect(hall.calls.count { $0 == "records/modify" } == 2)
    try await hall.promote(Self.schema)
    hall.pass(seconds: 600)
    try await ben.sync()
    #expect(try parked(ben) == [])
    let cy = try Device(3, hall, schema: Self.schema)
    try await cy.sync()
    #expect(try cy.objects("Entry") == ["mood=good tail=N2"])
  }

  @Test func `an edit is sent however much waits before it`() async throws {
    let ann = try await device(1)
    try await ann.sync()
    for number in 0..<20 {
      try ann.edit { try $0.insert("Crew").setValue("name", .string("\(number)")) }
    }
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    _ = try await ann.carryOut(.schema)
    ann.session.batchSize = BatchSize(limit: 1)
    while case .done(let facts) = try await ann.carryOut(.push), facts.hasMore {}
    #expect(try ann.changes(.parked).count == 20)
    #expect(try ann.changes(.pending) == [])
    #expect(try ann.bases().count == 1)
  }

  @Test func `a new record that arrived unheard and waits goes when it is deleted elsewhere`()
    async throws
  {
    try await hall.promote(Self.schema)
    let ann = try Device(1, hall, schema: Self.schema)
    let ben = try Device(2, hall, schema: Self.schema)
    try ann.edit { try $0.insert("Crew").setValue("name", .string("Amelia")) }
    let hasSent = Mutex(false)
    hall.setGate { request in
      hasSent.withLock { hasSent in
        // It arrives, and nothing comes back from then on.
        hasSent = hasSent || request.path == "records/modify"
        return hasSent ? .loseReply : .pass
      }
    }
    try await ann.sync()
    hall.setGate(nil)
    let sent = try ann.changes(.pending)
    #expect(sent.map(\.change.mayHaveArrived) == [true])
    try ann.session.write { _, rows in
      for var row in sent {
        row.state = .parked
        try rows.put(row)
      }
    }
    try await ben.sync()
    try ben.edit { try $0.delete($0.first("Crew")) }
    try await ben.sync()
    try await ann.sync()
    #expect(try ann.objects("Crew") == [])
    #expect(try ann.changes(.failed).map(\.code) == [SyncFailureCode.deletedRemotely])
    #expect(try ann.changes(.parked) == [])
  }
}
