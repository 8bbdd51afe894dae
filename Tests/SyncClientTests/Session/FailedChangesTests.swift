import DataModel
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// The ways out for an edit whose object was deleted elsewhere.
@Suite struct FailedChangesTests {
  let hall = RecordHall()
  let ann: Device
  let ben: Device

  /// Of two entries that both have, Ann deletes both, and Ben edits both without knowing of it.
  init() async throws {
    ann = try Device(1, hall, schema: TwoDevicesTests.schema)
    ben = try Device(2, hall, schema: TwoDevicesTests.schema)
    try ann.edit { context in
      let pilot = try context.insert("Pilot")
      try pilot.setValue("name", .string("Ann"))
      for tail in ["one", "two"] {
        let entry = try context.insert("Entry")
        try entry.setValue("tail", .string(tail))
        try entry.setRelated("pilot", pilot)
      }
    }
    for device in [ann, ben] { try await device.sync() }
    try ann.edit { context in
      for entry in try context.fetch(FetchRequest("Entry")) { try context.delete(entry) }
    }
    try ben.edit { context in
      for entry in try context.fetch(FetchRequest("Entry")) {
        try entry.setValue("hours", .integer(3))
      }
    }
    for device in [ann, ben] { try await device.sync() }
  }

  func tails(_ device: Device) throws -> [String] {
    let context = ModelContext(device.store)
    return try context.fetch(FetchRequest("Entry")).map { entry in
      let name = try entry.related("pilot").map { try "\($0.value("name"))" } ?? "nobody"
      return "\(try entry.value("tail")) \(try entry.value("hours")) \(name)"
    }.sorted()
  }

  @Test func `an object is made anew with what it had, on every device`() async throws {
    #expect(try tails(ben) == [])
    #expect(try ben.store.recreateFailedChanges() == 2)
    for device in [ben, ann, ben] { #expect(try await device.sync().outcome == .complete) }
    let expected = ["one", "two"].map {
      "\(FieldValue.string($0)) \(FieldValue.integer(3)) \(FieldValue.string("Ann"))"
    }
    #expect(try tails(ann) == expected)
    #expect(try tails(ben) == expected)
    #expect(try ben.store.failedChanges() == [])
    #expect(try ann.bases() == ben.bases())
    #expect(try await ben.verify().shown == [])
  }

  @Test func `one is made anew, and the other given up`() async throws {
    let names = try ben.store.failedChanges().map(\.recordName)
    #expect(try ben.store.recreateFailedChanges(of: [names[0]]) == 1)
    #expect(try ben.store.discardFailedChanges(of: [names[1]]) == 1)
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    #expect(try tails(ann).count == 1)
    #expect(try tails(ann) == tails(ben))
    #expect(try ben.store.failedChanges() == [])
  }

  @Test func `trying again does not make anew what was deleted`() async throws {
    #expect(try ben.store.retryFailedChanges() == 0)
    try await ben.sync()
    #expect(try tails(ben) == [])
    #expect(try ben.store.failedChanges().count == 2)
  }

  @Test func `what was lost with a record is no edit of the one that comes in its place`()
    async throws
  {
    let lost = try ben.store.failedChanges()
    try await comeBack(lost[0].recordName)
    try await ben.sync()
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("four")) }
    for device in [ben, ann] { try await device.sync() }
    #expect(try ann.objects("Entry") == ["hours=9 tail=four"])
    #expect(try ben.store.failedChanges().map(\.kept) == lost.map(\.kept))
  }

  @Test func `what is lost once more is kept together with what was lost before`() async throws {
    let name = try ben.store.failedChanges()[0].recordName
    try await comeBack(name)
    for device in [ann, ben] { try await device.sync() }
    try ann.edit { context in
      for entry in try context.fetch(FetchRequest("Entry")) { try context.delete(entry) }
    }
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("four")) }
    for device in [ann, ben] { try await device.sync() }
    let failed = try ben.store.failedChanges().filter { $0.recordName == name }
    let kept = try ben.changes(.failed).compactMap { try $0.kept?.fields() }
    #expect(failed.count == 1)
    #expect(kept.map { $0["hours"]?.value } == [.int64(3), .int64(3)])
    #expect(kept.map { $0["tail"]?.value } == [.string("two"), .string("four")])
  }

  @Test func `a deletion is sent though the edit that was on its way meanwhile is refused`()
    async throws
  {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("three")) }
    for device in [ann, ben] { try await device.sync() }
    let earlier = try ben.store.failedChanges()
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("four")) }
    for step in [SyncStep.pull, .push, .schema] { _ = try await ben.carryOut(step) }
    guard case .call(let call) = try ben.session.begin(.push, now: hall.now()) else {
      Issue.record("nothing is sent")
      return
    }
    try ben.edit { try $0.delete($0.first("Entry")) }
    hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    _ = try ben.session.finish(.push, await hall.send(call), now: hall.now())
    hall.setGate(nil)
    #expect(try ben.store.failedChanges() == earlier)
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    #expect(try ann.objects("Entry") == [])
    #expect(try await ben.verify().shown == [])
  }

  @Test(arguments: [1, 9])
  func `what is edited while an edit is on its way is tried together with that, so often only`(
    refusals: Int
  ) async throws {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("three")) }
    for device in [ann, ben] { try await device.sync() }
    let earlier = try ben.changes(.failed).count
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("four")) }
    for step in [SyncStep.pull, .push, .schema] { _ = try await ben.carryOut(step) }
    for hours in 1...refusals {
      guard case .call(let call) = try ben.session.begin(.push, now: hall.now()) else { break }
      try ben.edit(first: "Entry") { try $0.setValue("hours", .integer(Int64(hours))) }
      hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
      _ = try ben.session.finish(.push, await hall.send(call), now: hall.now())
      hall.setGate(nil)
    }
    let failed = try ben.changes(.failed).dropFirst(earlier)
    let isTried = refusals < PushAnswer.attemptsMax
    #expect(failed.map { $0.change.edits.map(\.name) } == (isTried ? [] : [["tail", "hours"]]))
    if !isTried { #expect(try ben.store.retryFailedChanges() == 1) }
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    let hours = isTried ? 1 : PushAnswer.attemptsMax
    for device in [ben, ann] {
      #expect(try device.objects("Entry") == ["hours=\(hours) tail=four"])
    }
    #expect(try await ben.verify().shown == [])
  }

  @Test func `an object that is made anew does not refer to who comes back later`() async throws {
    try ann.edit { try $0.insert("Entry").setRelated("pilot", $0.first("Pilot")) }
    for device in [ann, ben] { try await device.sync() }
    let lost = try ben.store.failedChanges().map(\.recordName)
    let pilot = try #require(try ann.firstRecord(of: "Pilot"))
    try ann.edit { context in
      try context.delete(context.first("Entry"))
      try context.delete(context.first("Pilot"))
    }
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("six")) }
    for device in [ann, ben] { try await device.sync() }
    let entry = try ben.store.failedChanges().map(\.recordName).filter { !lost.contains($0) }
    #expect(try ben.store.recreateFailedChanges(of: Set(entry)) == 1)
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    try await comeBack(pilot.name, as: "Pilot", with: [])
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ben, ann] {
      #expect(try device.objects("Entry") == ["tail=six"])
      #expect(try await device.verify().shown == [])
    }
    #expect(try ben.log([.discarded]).filter { $0.contains(pilot.name) }.count == 1)
  }

  @Test func `what does not fit fails at once, so that there is something to decide about`()
    async throws
  {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("three")) }
    for device in [ann, ben] { try await device.sync() }
    let earlier = try ben.changes(.failed).count
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("four")) }
    for step in [SyncStep.pull, .push, .schema] { _ = try await ben.carryOut(step) }
    guard case .call(let call) = try ben.session.begin(.push, now: hall.now()) else {
      Issue.record("nothing is sent")
      return
    }
    try ben.edit(first: "Entry") { try $0.setValue("hours", .integer(7)) }
    hall.setGate { $0.path == "records/modify" ? .refuse(.quotaExceeded) : .pass }
    _ = try ben.session.finish(.push, await hall.send(call), now: hall.now())
    hall.setGate(nil)
    #expect(
      try ben.changes(.failed).dropFirst(earlier).map { $0.change.edits.map(\.name) }
        == [["tail", "hours"]])
  }

  @Test func `a pair that was not sent is in the log when one of its ends is deleted elsewhere`()
    async throws
  {
    try ann.edit { context in
      _ = try context.insert("Entry")
      _ = try context.insert("Tag")
    }
    for device in [ann, ben] { try await device.sync() }
    try ann.edit { try $0.delete($0.first("Entry")) }
    try ben.edit { try $0.first("Entry").addRelated("tags", $0.first("Tag")) }
    let before = try ben.log([.discarded]).count
    for device in [ann, ben] { try await device.sync() }
    #expect(try ben.log([.discarded]).count == before + 1)
    #expect(try await ben.verify().shown == [])
  }

  @Test func `what was lost is in the log when the object that came in its place is deleted`()
    async throws
  {
    let name = try ben.store.failedChanges()[0].recordName
    try await comeBack(name)
    for device in [ann, ben] { try await device.sync() }
    let before = try ben.log([.discarded]).count
    try ben.edit { try $0.delete($0.first("Entry")) }
    for device in [ben, ann] { try await device.sync() }
    #expect(try ben.store.failedChanges().map(\.recordName).contains(name) == false)
    #expect(try ben.log([.discarded]).count == before + 1)
  }

  @Test
  func `a pair that is joined again while its deletion is on its way can be parted elsewhere`()
    async throws
  {
    try ann.edit { context in
      try context.insert("Entry").addRelated("tags", context.insert("Tag"))
    }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit { try $0.first("Entry").removeRelated("tags", $0.first("Tag")) }
    for step in [SyncStep.pull, .push, .schema] { _ = try await ben.carryOut(step) }
    guard case .call(let call) = try ben.session.begin(.push, now: hall.now()) else {
      Issue.record("nothing is sent")
      return
    }
    try ben.edit { try $0.first("Entry").addRelated("tags", $0.first("Tag")) }
    _ = try ben.session.finish(.push, await hall.send(call), now: hall.now())
    hall.setGate { $0.path == "records/modify" ? .loseReply : .pass }
    #expect(try await ben.carryOut(.push) == .unanswered("lost"))
    hall.setGate(nil)
    try await ann.sync()
    try ann.edit { try $0.first("Entry").removeRelated("tags", $0.first("Tag")) }
    for device in [ann, ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ben, ann] {
      let context = ModelContext(device.store)
      defer { withExtendedLifetime(context) {} }
      #expect(try context.first("Entry").relatedObjects("tags").isEmpty)
      #expect(try await device.verify().shown == [])
    }
  }

  /// Makes a record of that name which nobody here has made.
  func comeBack(
    _ name: String, as type: String = "Entry",
    with fields: [(String, RecordField)] = [
      ("hours", RecordField(.int64(9))), ("tail", RecordField(.string("three"))),
    ]
  ) async throws {
    let record = Record(recordName: name, recordType: type, fields: RecordFields(fields))
    let request = ModifyRequest(
      operations: [RecordOperation(.create, record)],
      zone: ZoneIdentity(name: SyncConfiguration.nativeZone))
    _ = await hall.send(
      SyncCall("records/modify", in: .database(.private), body: try request.json()))
  }

  @Test(arguments: [false, true])
  func `a pair whose parting was refused is as it was when it is joined again`(
    isPartedElsewhere: Bool
  ) async throws {
    try ann.edit { try $0.insert("Entry").addRelated("tags", $0.insert("Tag")) }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit { try $0.first("Entry").removeRelated("tags", $0.first("Tag")) }
    hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    try await ben.sync()
    hall.setGate(nil)
    #expect(try ben.changes(.failed).map(\.change.kind).contains(.delete))
    try ben.edit { try $0.first("Entry").addRelated("tags", $0.first("Tag")) }
    if isPartedElsewhere {
      try ann.edit { try $0.first("Entry").removeRelated("tags", $0.first("Tag")) }
    }
    for device in [ann, ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] {
      let context = ModelContext(device.store)
      defer { withExtendedLifetime(context) {} }
      #expect(
        try context.first("Entry").relatedObjects("tags").count == (isPartedElsewhere ? 0 : 1))
      #expect(try device.changes(.failed).filter { $0.change.kind == .delete } == [])
      #expect(try await device.verify().shown == [])
    }
    #expect(try ann.bases() == ben.bases())
  }

  @Test func `a pair whose parting was refused has its new place when it is joined again`()
    async throws
  {
    let hall = RecordHall()
    let ann = try Device(1, hall, schema: FlightLog.schema)
    let ben = try Device(2, hall, schema: FlightLog.schema)
    func tags(_ device: Device) throws -> [FieldValue] {
      let context = ModelContext(device.store)
      defer { withExtendedLifetime(context) {} }
      return try context.first("Entry").relatedObjects("tags").map { try $0.value("name") }
    }
    try ann.edit { context in
      let entry = try context.insert("Entry")
      for name in ["a", "b"] {
        let tag = try context.insert("Tag")
        try tag.setValue("name", .string(name))
        try entry.addRelated("tags", tag)
      }
    }
    for device in [ann, ben] { try await device.sync() }
    func change(_ body: (ManagedObject, ManagedObject) throws -> Void) throws {
      try ben.edit { context in
        let tags = try context.fetch(FetchRequest("Tag"))
        try body(
          context.first("Entry"), try #require(tags.first { try $0.value("name") == .string("a") }))
      }
    }
    try change { entry, tag in try entry.removeRelated("tags", tag) }
    hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    try await ben.sync()
    hall.setGate(nil)
    try change { entry, tag in try entry.addRelated("tags", tag) }
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] {
      #expect(try tags(device) == [.string("b"), .string("a")])
      #expect(try await device.verify().shown == [])
    }
  }
}

extension Device {
  /// The first record of a type.
  func firstRecord(of type: String) throws -> RecordRow? {
    try session.read { rows in
      try rows.records(from: 1, count: .max / 2).first { $0.type == type && $0.owner != .none }
    }
  }
}
