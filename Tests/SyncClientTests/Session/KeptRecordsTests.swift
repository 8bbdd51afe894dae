import DataModel
import Foundation
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// What a server has lost of records that are no objects of the device that has it.
@Suite struct KeptRecordsTests {
  private static func schema(_ attributes: String...) -> Schema {
    Schema(
      name: "Log",
      entities: [
        Schema.Entity(
          name: "Entry",
          attributes: attributes.map {
            Schema.Attribute(name: $0, type: .string, isOptional: true)
          } + [Schema.Attribute(name: "version", type: .integer64, isOptional: true)],
          versionField: "version")
      ])
  }

  private static let first = schema("tail")
  private static let second = schema("mood", "tail")

  let hall = RecordHall()
  let folder = try? TemporaryFolder()

  private func device(
    _ number: UInt64, _ schema: Schema = second, versionMax: Int64? = nil
  ) throws -> Device {
    let file = try #require(folder).path + "/\(number).sqlite"
    let policies: [Trouble: TroublePolicy] = [.serverRestored: .reupload, .tokenExpired: .reupload]
    return try Device(
      number, hall, schema: schema, at: .file(file), versionMax: versionMax, policies: policies)
  }

  private func set(_ values: [String: FieldValue], on device: Device) throws {
    try device.edit { context in
      let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
      for (name, value) in values { try entry.setValue(name, value) }
    }
  }

  /// Ann makes an entry for later programs and edits it; `others`, who know of that, keep it; then the server is put
  /// back to what it had before the edit.
  private func lose(
    _ edit: [String: FieldValue] = ["mood": .string("good"), "tail": .string("N2")],
    by schema: Schema = second, others: [Device]
  ) async throws {
    let ann = try device(1, schema)
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("tail", .string("N1"))
      try entry.setValue("version", .integer(2))
    }
    try await ann.sync()
    let backup = hall.backup()
    try set(edit, on: ann)
    for device in [ann] + others { try await device.sync() }
    hall.restore(backup)
  }

  /// Ben hears of the loss, and what he sends of it does not arrive.
  private func hearOnly(_ ben: Device) async throws {
    hall.setGate { $0.path == "records/modify" ? .loseRequest : .pass }
    try await ben.sync()
    hall.setGate(nil)
    #expect(try ben.changes(.pending).count == 1)
    #expect(try ben.objects("Entry") == [])
  }

  /// Ben keeps what is lost, hears of it, and his program ends.
  private func hearOnly() async throws {
    let ben = try device(2, Self.first, versionMax: 1)
    try await lose(others: [ben])
    try await hearOnly(ben)
  }

  /// Somebody else deletes the entry.
  private func deleteElsewhere() async throws {
    let cy = try device(3)
    try await cy.sync()
    try cy.edit { context in
      try context.delete(try #require(try context.fetch(FetchRequest("Entry")).first))
    }
    try await cy.sync()
  }

  /// What a device that has never been here sees.
  private func seenByDora(_ schema: Schema = second) async throws -> [String] {
    let dora = try device(9, schema)
    try await dora.sync()
    return try dora.objects("Entry")
  }

  /// Whether nothing of a device waits for anything.
  private func expectIdle(_ device: Device) async throws {
    for state in ChangeRow.State.allCases { #expect(try device.changes(state) == []) }
    #expect(try await device.sync() == SyncMachine.PassEnd(.complete, SyncTally()))
    #expect(try await device.verify().shown == [])
  }

  @Test func `what the program does not know of a record is sent after an upgrade, too`()
    async throws
  {
    try await hearOnly()
    let upgraded = try device(2, Self.first, versionMax: 2)
    try await upgraded.sync()
    #expect(try upgraded.objects("Entry") == ["tail=N2 version=2"])
    #expect(try await seenByDora() == ["mood=good tail=N2 version=2"])
    try await expectIdle(upgraded)
  }

  @Test func `what was kept of a record appears when the program knows it, sent or not`()
    async throws
  {
    try await hearOnly()
    for versionMax in [Int64(2), 3] {
      let schema = versionMax == 2 ? Self.first : Self.second
      let upgraded = try device(2, schema, versionMax: versionMax)
      _ = try await upgraded.carryOut(.hello)
      #expect(
        try upgraded.objects("Entry")
          == [versionMax == 2 ? "tail=N2 version=2" : "mood=good tail=N2 version=2"])
    }
    try await device(2, Self.second).sync()
    #expect(try await seenByDora() == ["mood=good tail=N2 version=2"])
  }

  @Test func `what somebody else sends again meanwhile is not taken for all of it`() async throws {
    let (ben, cy) = (try device(2, Self.first, versionMax: 1), try device(3, Self.first))
    try await lose(others: [ben, cy])
    try await hearOnly(ben)
    try await cy.sync()
    try await ben.sync()
    #expect(try await seenByDora() == ["mood=good tail=N2 version=2"])
    try await expectIdle(ben)
  }

  @Test func `that a field was emptied comes back, too`() async throws {
    let ben = try device(2, Self.first, versionMax: 1)
    try await lose(["tail": .null], others: [ben])
    try await ben.sync()
    #expect(try await seenByDora() == ["version=2"])
    try await expectIdle(ben)
  }

  @Test func `with a record that is given up, what was to be sent of it goes`() async throws {
    let ben = try device(2, Self.first, versionMax: 1)
    try await lose(others: [ben])
    try await hearOnly(ben)
    try await hall.makeAnew(ZoneIdentity(name: SyncConfiguration.nativeZone))
    #expect(try await ben.sync().outcome == .trouble(.zoneReset))
    try ben.session.resolve(.keepLocal, now: hall.now())
    #expect(try await ben.sync() == SyncMachine.PassEnd(.complete, SyncTally()))
    #expect(try ben.bases() == [:])
    try await expectIdle(ben)
  }

  @Test func `with a record that is deleted, what was to be sent of it goes`() async throws {
    let ben = try device(2, Self.first, versionMax: 1)
    try await lose(others: [ben])
    try await hearOnly(ben)
    try await deleteElsewhere()
    try await ben.sync()
    #expect(try ben.bases() == [:])
    try await expectIdle(ben)
  }

  @Test func `what was refused of a record appears after an upgrade, and can be sent again`()
    async throws
  {
    do {
      let ben = try device(2, Self.first, versionMax: 1)
      try await lose(others: [ben])
      hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
      try await ben.sync()
      hall.setGate(nil)
      #expect(try ben.changes(.failed).map(\.code) == ["ACCESS_DENIED"])
      #expect(try await ben.verify().shown == [])
    }
    let upgraded = try device(2, Self.second, versionMax: 2)
    try await upgraded.sync()
    #expect(try upgraded.objects("Entry") == ["mood=good tail=N2 version=2"])
    #expect(try upgraded.store.retryFailedChanges() == 1)
    try await upgraded.sync()
    #expect(try await seenByDora() == ["mood=good tail=N2 version=2"])
    try await expectIdle(upgraded)
  }

  @Test func `what is discarded of a record stays lost, and the log has it`() async throws {
    let ben = try device(2, Self.first, versionMax: 1)
    try await lose(others: [ben])
    hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    try await ben.sync()
    hall.setGate(nil)
    #expect(try ben.store.discardFailedChanges() == 1)
    #expect(try ben.log([.discarded]).allSatisfy { $0.contains("good") && $0.contains("N2") })
    #expect(try ben.log([.discarded]).count == 1)
    try await expectIdle(ben)
    let cy = try device(3, Self.first)
    try await cy.sync()
    try set(["tail": .string("N3")], on: cy)
    try await cy.sync()
    try await ben.sync()
    #expect(try await seenByDora() == ["tail=N3 version=2"])
  }

  @Test func `a record that the program understands again has what the server lost`() async throws {
    let ben = try device(2, Self.first, versionMax: 1)
    try await lose(others: [ben])
    let cy = try device(3, Self.first)
    try await cy.sync()
    for version in [3, 1] {
      try set(["version": .integer(Int64(version))], on: cy)
      try await cy.sync()
    }
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=N2 version=1"])
    #expect(try await seenByDora() == ["mood=good tail=N2 version=1"])
    try await expectIdle(ben)
  }

  @Test func `an upgraded device that nobody edited on takes a deletion without a word`()
    async throws
  {
    try await hearOnly()
    let upgraded = try device(2, Self.first, versionMax: 2)
    _ = try await upgraded.carryOut(.hello)
    #expect(try upgraded.objects("Entry") == ["tail=N2 version=2"])
    try await deleteElsewhere()
    try await upgraded.sync()
    #expect(try upgraded.objects("Entry") == [])
    try await expectIdle(upgraded)
  }

  /// Ben has upgraded before what he keeps was sent, and has edited a part of it.
  private func upgradedAndEdited() async throws -> Device {
    try await hearOnly()
    let upgraded = try device(2, Self.first, versionMax: 2)
    _ = try await upgraded.carryOut(.hello)
    try set(["tail": .string("N3")], on: upgraded)
    return upgraded
  }

  @Test func `what was edited since wins over what was kept`() async throws {
    let ben = try await upgradedAndEdited()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=N3 version=2"])
    #expect(try await seenByDora() == ["mood=good tail=N3 version=2"])
    try await expectIdle(ben)
  }

  @Test func `what was edited since and discarded is in the log, with what was kept`() async throws
  {
    let ben = try await upgradedAndEdited()
    hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    try await ben.sync()
    hall.setGate(nil)
    #expect(try ben.store.discardFailedChanges() == 1)
    let log = try ben.log([.discarded])
    #expect(
      log.map { line in ["good", "N2", "N3"].map { line.contains($0) } } == [[true, false, true]])
  }

  @Test func `what was edited since fails with what was kept when the record is deleted`()
    async throws
  {
    let ben = try await upgradedAndEdited()
    try await deleteElsewhere()
    try await ben.sync()
    let kept = try ben.changes(.failed).map { try $0.kept?.fields() }
    #expect(kept.map { $0?["mood"]?.value } == [.string("good")])
    #expect(kept.map { $0?["tail"]?.value } == [.string("N3")])
  }

  @Test func `a value that the program cannot hold is sent as it was`() async throws {
    func schema(_ type: Schema.AttributeType) -> Schema {
      var schema = Self.first
      schema.entities[0].attributes.append(
        Schema.Attribute(name: "hours", type: type, isOptional: true))
      return schema
    }
    let ben = try device(2, schema(.integer16), versionMax: 1)
    try await lose(["hours": .integer(100_000)], by: schema(.integer64), others: [ben])
    let cy = try device(3, Self.first)
    try await cy.sync()
    for version in [3, 1] {
      try set(["version": .integer(Int64(version))], on: cy)
      try await cy.sync()
    }
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=N1 version=1"])
    #expect(try await seenByDora(schema(.integer64)) == ["hours=100000 tail=N1 version=1"])
  }

  @Test func `who sends a part of what a device did does not hide that the rest is lost`()
    async throws
  {
    let (ann, ben) = (try device(4), try device(2, Self.first))
    try await lose(others: [])
    let backup = hall.backup()
    try await ann.sync()
    try set(["mood": .string("bad"), "tail": .string("N4")], on: ann)
    for device in [ann, ben] { try await device.sync() }
    hall.restore(backup)
    try await ben.sync()
    let cy = try device(3, Self.first)
    try await cy.sync()
    for version in 3...6 {
      try set(["version": .integer(Int64(version))], on: cy)
      try await cy.sync()
    }
    // Ann is told of these, and not that the server was put back.
    try await ann.sync()
    #expect(try await seenByDora() == ["mood=bad tail=N4 version=6"])
  }

  @Test func `what somebody else sends of a counter is not added to what was lost of it`()
    async throws
  {
    func schema(_ rest: String...) -> Schema {
      var schema = Self.first
      schema.entities[0].attributes +=
        [Schema.Attribute(name: "hours", type: .integer64, isOptional: true)]
        + rest.map { Schema.Attribute(name: $0, type: .string, isOptional: true) }
      return schema
    }
    let (ann, ben) = (try device(1, schema("mood")), try device(2, schema()))
    let cy = try device(3, schema())
    for device in [ann, ben, cy] { device.configuration.rules = ["Entry": ["hours": .counter]] }
    for device in [ann, ben, cy] { try device.restart() }
    try ann.edit { try $0.insert("Entry").setValue("hours", .integer(5)) }
    for device in [ann, ben, cy] { try await device.sync() }
    let backup = hall.backup()
    try set(["hours": .integer(6)], on: ann)
    for device in [ann, cy] { try await device.sync() }
    try set(["mood": .string("good"), "hours": .integer(8)], on: ann)
    for device in [ann, ben] { try await device.sync() }
    hall.restore(backup)
    // Ben is about to send what he has when Cy sends what he has.
    hall.setGate { $0.path == "records/modify" ? .loseRequest : .pass }
    try await ben.sync()
    hall.setGate(nil)
    for device in [cy, ben, ann, ben, cy] { try await device.sync() }
    for device in [ann, ben, cy] {
      #expect(try device.objects("Entry").allSatisfy { $0.contains("hours=8") })
    }
    #expect(try ann.objects("Entry") == ["hours=8 mood=good"])
  }

  @Test func `a pair that was sent again is joined once both its ends are here`()
    async throws
  {
    var schema = Self.second
    schema.entities[0].relationships = [
      Schema.Relationship(name: "tags", destination: "Tag", inverse: "entries", isToMany: true)
    ]
    schema.entities.append(
      Schema.Entity(
        name: "Tag",
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "tags", isToMany: true)
        ]))
    let (ann, ben) = (try device(1, schema), try device(2, schema, versionMax: 1))
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("version", .integer(2))
      try entry.setRelated("tags", [context.insert("Tag")])
    }
    for device in [ann, ben] { try await device.sync() }
    let backup = hall.backup()
    // Parted and joined again, the pair has later clocks than the one that the server will have.
    for isTagged in [false, true] {
      try ann.edit { context in
        let tags = try context.fetch(FetchRequest("Tag"))
        let entry = try #require(try context.fetch(FetchRequest("Entry")).first)
        try entry.setRelated("tags", isTagged ? tags : [])
      }
      for device in [ann, ben] { try await device.sync() }
    }
    hall.restore(backup)
    #expect(try await ben.sync().tally.pushed == 1)
    try set(["version": .integer(1)], on: ann)
    for device in [ann, ben] { try await device.sync() }
    try ben.edit(first: "Entry") { entry in
      let tags = try entry.relatedObjects("tags")
      #expect(tags.count == 1)
    }
    try await expectIdle(ben)
  }
}
