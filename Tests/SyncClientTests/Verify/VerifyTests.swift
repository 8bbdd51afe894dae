import DataModel
import Foundation
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

@Suite struct VerifyTests {
  let hall = RecordHall()
  let ann: Device
  let ben: Device

  init() throws {
    ann = try Device(1, hall, schema: TwoDevicesTests.schema)
    ben = try Device(2, hall, schema: TwoDevicesTests.schema)
  }

  /// Both devices have three entries, a pilot and a tag, with relationships of every kind.
  private func share() async throws {
    try ann.edit { context in
      let pilot = try context.insert("Pilot")
      try pilot.setValue("name", .string("Ann"))
      let tag = try context.insert("Tag")
      try tag.setValue("name", .string("night"))
      for number in 0..<3 {
        let entry = try context.insert("Entry")
        try entry.setValue("tail", .string("N\(number)"))
        try entry.setValue("hours", .integer(Int64(number)))
        try entry.setRelated("pilot", pilot)
        try entry.addRelated("tags", tag)
      }
    }
    try await ann.sync()
    try await ben.sync()
  }

  @Test func `what is in sync is equal in one request`() async throws {
    try await share()
    for device in [ann, ben] {
      let run = try await device.verify()
      #expect(run.report.isEqual && run.report.objects == 8, "\(run.report)")
      #expect(run.report.records == 8 && run.report.serverRecords == 8)
      #expect(run.report.method == .digests)
      #expect(run.calls == ["zones/digest"])
    }
  }

  @Test func `in the layout of Core Data too, what is in sync is equal`() async throws {
    let hall = RecordHall()
    let one = try Device(1, hall, schema: TwoDevicesTests.schema, profile: .coreData)
    let two = try Device(2, hall, schema: TwoDevicesTests.schema, profile: .coreData)
    try one.edit { context in
      let entry = try context.insert("Entry")
      try entry.setRelated("pilot", context.insert("Pilot"))
      try entry.addRelated("tags", context.insert("Tag"))
      try entry.setValue("hours", .integer(3))
    }
    try await one.sync()
    try await two.sync()
    for device in [one, two] {
      let run = try await device.verify()
      #expect(run.report.isEqual && run.report.objects == 4, "\(run.report)")
    }
  }

  @Test func `an engine compares, and passes that are wanted meanwhile come after it`() async throws
  {
    let store = try Store(at: .memory, schema: TwoDevicesTests.schema)
    let context = ModelContext(store)
    try context.insert("Entry").setValue("tail", .string("N1"))
    try context.save()
    let engine = try SyncEngine(
      store, ann.configuration, transport: HallTransport(hall: hall))
    try await engine.sync()
    async let found = engine.verify()
    async let pass = engine.sync()
    let (report, summary) = try await (found, pass)
    #expect(report.isEqual && report.objects == 1)
    #expect(summary.outcome == .complete)
    #expect(try store.syncLog(limit: 9).map(\.kind) == ["pass", "pass"])
    await engine.stop()
  }

  @Test func `before the first pass the status counts what was there before sync`() async throws {
    let store = try Store(at: .memory, schema: TwoDevicesTests.schema)
    let context = ModelContext(store)
    for _ in 0..<5 { _ = try context.insert("Entry") }
    try context.insert("Pilot").setValue("name", .string("Ann"))
    try context.save()
    try ann.configuration.setUp(store)
    let status = try SyncStatus.read(store)
    #expect(status.pending == 6 && status.oldestPending == nil && !status.isIdle)
    let engine = try SyncEngine(
      store, ann.configuration, transport: HallTransport(hall: hall))
    #expect(try await engine.sync().pushed == 6)
    #expect(try SyncStatus.read(store).pending == 0)
  }

  @Test func `before the first pass both sides are empty`() async throws {
    let run = try await ann.verify()
    #expect(run.report.isEqual && run.report.records == 0)
    try ann.edit { try $0.insert("Pilot").setValue("name", .string("Ann")) }
    let later = try await ann.verify()
    #expect(later.report.isEqual && later.report.changing == 1)
  }

  @Test func `what happened since on the server is read before it is compared`() async throws {
    try await share()
    try ann.edit { try $0.first("Pilot").setValue("name", .string("Anna")) }
    try await ann.sync()
    let run = try await ben.verify()
    #expect(run.report.isEqual)
    #expect(run.calls == ["zones/digest", "changes/zone", "zones/digest"])
    #expect(try ben.objects("Pilot") == ["name=Anna"])
  }

  @Test func `edits that are not sent yet are no differences`() async throws {
    try await share()
    try ann.edit { context in
      try context.first("Pilot").setValue("name", .string("Anna"))
      try context.delete(context.first("Tag"))
      try context.insert("Pilot").setValue("name", .string("new"))
    }
    let run = try await ann.verify()
    #expect(run.report.isEqual, "\(run.shown)")
    // The tag, its three pairs, and the new pilot.
    #expect(run.report.changing == 5 && run.report.objects == 4)
  }

  /// The server gets a field of one record that nobody confirmed here, without a new state.
  private func spoil(_ device: Device, _ type: String) throws -> String {
    try device.session.write { _, rows in
      let row = try #require(try rows.records(from: 1, count: 1_000).first { $0.type == type })
      let base = try #require(try rows.base(of: row.number))
      var fields = try base.fields.fields()
      fields["name"] = RecordField(.string("spoiled"))
      var other = base
      other.fields = try FieldBytes(fields)
      try rows.setBase(other, of: row, was: base)
      return row.name
    }
  }

  @Test func `one record that differs is named with its field within four requests`() async throws {
    try await share()
    let type = try #require(ann.session.objects.objectType(entity: "Pilot")).recordType
    let name = try spoil(ann, type)
    let run = try await ann.verify()
    #expect(run.calls.count <= 4, "\(run.calls)")
    #expect(
      run.calls == ["zones/digest", "zones/digest", "zones/digest", "records/lookup"])
    let difference = try #require(run.report.differences.first)
    #expect(
      difference
        == .init(kind: .different, recordName: name, recordType: type, fields: ["name"]))
    // The object is what the server has, and so not what is thought to be confirmed.
    #expect(run.shown == ["different \(type) [name]", "objectDiffers \(type) [name]"])
    let repaired = try await ann.verify(repair: true)
    #expect(repaired.shown == ["different \(type) [name] repaired"])
    let again = try await ann.verify()
    #expect(again.report.isEqual && again.calls == ["zones/digest"], "\(again.shown)")
    #expect(try ann.objects("Pilot") == ["name=Ann"])
    #expect(try ann.changes(.pending) == [])
    #expect(
      try ann.log([.repaired]) == [
        #"repaired {"what":"different","type":"\#(type)","fields":["name"]}"#
      ])
  }

  @Test func `a record that is not known here comes back`() async throws {
    try await share()
    try ann.session.write { transaction, rows in
      let row = try #require(
        try rows.records(from: 1, count: 1_000).first {
          if case .pair = $0.owner { true } else { false }
        })
      guard case .pair(let property, let source, let target) = row.owner else { return }
      try ann.session.objects.edgeType(number: property)?.part(
        source: source, target: target, in: transaction)
      try rows.setBase(nil, of: row, was: try rows.base(of: row.number))
      try rows.deleteRecord(row.number)
    }
    let run = try await ann.verify()
    #expect(run.report.differences.map(\.kind) == [.missingHere], "\(run.shown)")
    #expect(run.calls.count == 4)
    let repaired = try await ann.verify(repair: true)
    #expect(repaired.report.repaired == 1)
    #expect(try await ann.verify().report.isEqual)
    let context = ModelContext(ann.store)
    #expect(
      try context.fetch(FetchRequest("Entry")).map { try $0.relatedObjects("tags").count }
        == [1, 1, 1])
    #expect(try ann.bases() == ben.bases())
  }

  @Test func `what the server lacks is sent again, and arrives`() async throws {
    try await share()
    let type = try #require(ann.session.objects.objectType(entity: "Pilot"))
    try ann.session.write { transaction, rows in
      // Confirmed here, and never heard of there.
      var intake = HistoryIntake(
        rows, ann.session.objects, zone: 1, device: ann.session.device,
        clock: try ann.session.clock(rows), names: ann.session.names)
      let writer = ObjectWriter(type, of: ann.session.objects, transaction)
      let made = try writer.insert(["name": .string("ghost")]) { _, _ in nil }
      let time = Date(timeIntervalSince1970: 1)
      try intake.takeInserts(
        HistoryRun(
          transaction: -9, time: time, author: nil, change: 0, kind: .insert,
          entity: type.number, key: made.key, count: 1, properties: []), type)
      let row = try #require(
        try rows.record(of: .object(entity: type.number, key: made.key)))
      try rows.deleteChange(try #require(try rows.ownChange(of: row.number)).number)
      try rows.setBase(
        BaseRow(
          tag: ChangeTag("zz"), modified: 5,
          fields: try FieldBytes(["later": .string("kept"), "name": .string("ghost")])),
        of: row, was: nil)
      ann.session.names = intake.names
    }
    let run = try await ann.verify()
    #expect(run.shown == ["missingThere \(type.recordType)"])
    #expect(run.calls == ["zones/digest", "zones/digest", "zones/digest"])
    #expect(try ann.changes(.pending) == [])
    let repaired = try await ann.verify(repair: true)
    #expect(repaired.shown == ["missingThere \(type.recordType) repaired"])
    #expect(try ann.changes(.pending).map(\.change) == [LocalChange(.update)])
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Pilot") == ["name=Ann", "name=ghost"])
    // With what nobody here knows.
    #expect(try ben.bases().values.contains { $0.contains("later") })
    #expect(try await ann.verify().report.isEqual)
    #expect(try await ben.verify().report.isEqual)
  }

  @Test func `objects that were changed behind sync's back are found, and sent when repaired`()
    async throws
  {
    try await share()
    try ann.tamper("UPDATE \(table("Entry")) SET \(column("Entry", "tail")) = 'X' WHERE _id = 2")
    let type = try #require(ann.session.objects.objectType(entity: "Entry")).recordType
    let run = try await ann.verify()
    #expect(run.shown == ["objectDiffers \(type) [tail]"])
    #expect(run.calls == ["zones/digest"])
    let repaired = try await ann.verify(repair: true)
    #expect(repaired.shown == ["objectDiffers \(type) [tail] repaired"])
    let waiting = try await ann.verify()
    #expect(waiting.report.isEqual)
    try await ann.sync()
    try await ben.sync()
    let entries = try ben.objects("Entry")
    #expect(entries.contains { $0.contains("tail=X") }, "\(entries)")
    #expect(try await ben.verify().report.isEqual)
  }

  @Test func `an object that was taken out of the file is made anew`() async throws {
    try await share()
    try ann.tamper("DELETE FROM \(table("Tag"))")
    let run = try await ann.verify()
    #expect(run.report.differences.contains { $0.kind == .objectMissing }, "\(run.shown)")
    _ = try await ann.verify(repair: true)
    #expect(try ann.objects("Tag") == ["name=night"])
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Tag") == ["name=night"])
  }

  @Test
  func `pairs that were put into the file are sent, of objects that have records and of others`()
    async throws
  {
    try await share()
    try ann.edit { try $0.insert("Tag").setValue("name", .string("alone")) }
    try await ann.sync()
    try ann.tamper(
      "INSERT INTO \(table("Tag")) (_version, \(column("Tag", "name"))) VALUES (1, 'smuggled')")
    let edges = try #require(ann.session.objects.edgeTypes.first)
    let (source, target) = (edges.sourceLayout.name, edges.targetLayout.name)
    // Every entry has every tag now: one of them nobody has heard of, and of one nobody has heard that it is there.
    try ann.tamper(
      """
      INSERT OR IGNORE INTO \(StoreLayout.sqlName(edges.pairs.table)) (source, target) \
      SELECT s._id, t._id FROM \(table(source)) AS s, \(table(target)) AS t
      """)
    let run = try await ann.verify()
    #expect(
      run.shown == ["objectUnsent Tag"]
        + Array(repeating: "objectUnsent \(edges.edge.recordType)", count: 3))
    _ = try await ann.verify(repair: true)
    try await ann.sync()
    try await ben.sync()
    #expect(try await ann.verify().report.isEqual)
    #expect(try ben.bases() == ann.bases())
    #expect(try ben.objects("Tag") == ["name=alone", "name=night", "name=smuggled"])
    // Three entries, a pilot, three tags, and nine pairs.
    #expect(try ben.bases().count == 16)
  }

  @Test func `an object that was put into the file is sent`() async throws {
    try await share()
    try ann.tamper(
      "INSERT INTO \(table("Tag")) (_version, \(column("Tag", "name"))) VALUES (1, 'smuggled')")
    let run = try await ann.verify()
    #expect(run.report.differences.map(\.kind) == [.objectUnsent], "\(run.shown)")
    _ = try await ann.verify(repair: true)
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Tag") == ["name=night", "name=smuggled"])
    #expect(try await ann.verify().report.isEqual)
  }

  @Test func `sums that are wrong are told, and made anew`() async throws {
    try await share()
    try ann.tamper("UPDATE contrail_sync_bucket SET high = high + 1")
    let run = try await ann.verify()
    #expect(!run.report.isEqual && !run.report.sumsAgree && run.report.differenceCount == 0)
    #expect(try await ann.verify(repair: true).report.isEqual)
    #expect(try await ann.verify().report.isEqual)
  }

  @Test func `without extensions every record is read, and the same is found`() async throws {
    ann.configuration.usesExtensions = false
    try ann.restart()
    try await share()
    let equal = try await ann.verify()
    #expect(equal.report.isEqual && equal.report.method == .wholeZone)
    #expect(equal.report.serverRecords == 8 && equal.calls == ["changes/zone"])
    let type = try #require(ann.session.objects.objectType(entity: "Pilot")).recordType
    _ = try spoil(ann, type)
    let run = try await ann.verify(repair: true)
    #expect(run.shown == ["different \(type) [name] repaired"])
    #expect(try await ann.verify().report.isEqual)
  }

  @Test func `a server that does not know digests is read as a whole`() async throws {
    try await share()
    try ann.restart()
    hall.setGate {
      $0.path == "zones/digest"
        ? .answer(RequestFailure(.notFound, reason: "there is no operation")) : .pass
    }
    let run = try await ann.verify()
    #expect(run.report.isEqual && run.report.method == .wholeZone)
    #expect(run.calls == ["zones/digest", "changes/zone"])
  }

  @Test func `where others write all the time, nothing is said and nothing repaired`() async throws
  {
    try await share()
    let type = try #require(ann.session.objects.objectType(entity: "Pilot")).recordType
    _ = try spoil(ann, type)
    let hall = hall
    // The zone is another one each time that it is asked for its digest.
    let stranger = Record(recordName: "S", recordType: "Other", fields: ["n": .int64(1)])
    let write = try ModifyRequest(
      operations: [RecordOperation(.forceUpdate, stranger)], zone: ann.configuration.zone,
      isAtomic: true
    ).json()
    let verifier = SyncVerifier(ann.session, isRepairing: true)
    var work = try verifier.begin(now: hall.now())
    while case .call(let call) = work {
      if call.path == "zones/digest" {
        _ = await hall.send(
          SyncCall("records/modify", in: .database(.private), body: write))
      }
      work = try verifier.finish(await hall.send(call), now: hall.now())
    }
    #expect(verifier.report.outcome == .unfinished && !verifier.report.isEqual)
    #expect(verifier.report.differences == [])
    #expect(try ann.log([.repaired]) == [])
  }

  @Test func `references to an object whose deletion is pending are no differences`() async throws {
    try await share()
    try ann.edit { try $0.delete($0.first("Pilot")) }
    let pending = try await ann.verify()
    #expect(pending.report.isEqual, "\(pending.shown)")
    try await ann.sync()
    try await ben.sync()
    for device in [ann, ben] {
      let run = try await device.verify()
      #expect(run.report.isEqual, "\(run.shown)")
    }
  }

  @Test func `a reference that another program changed is a difference`() async throws {
    try await share()
    try ann.tamper("UPDATE \(table("Entry")) SET pilot = NULL WHERE _id = 1")
    let run = try await ann.verify()
    #expect(run.report.differences.map(\.fields) == [["pilot"]], "\(run.shown)")
  }

  @Test func `no answer, and none that is allowed, end it without a repair`() async throws {
    try await share()
    hall.setGate { _ in .loseRequest }
    #expect(try await ann.verify(repair: true).report.outcome == .unreachable("lost"))
    hall.setGate { _ in .answer(RequestFailure(.authenticationRequired, reason: "who?")) }
    #expect(
      try await ann.verify(repair: true).report.outcome == .signIn(redirectURL: nil))
  }

  private func table(_ entity: String) -> String {
    StoreLayout.sqlName(ann.store.layout.entity(entity)?.table ?? "")
  }

  private func column(_ entity: String, _ property: String) -> String { property }
}
