import DataModel
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

// What is left when changes that failed are given up.
extension FailedChangesTests {
  @Test func `an object whose deletion is given up is as the server has it, and hears of news`()
    async throws
  {
    try ann.edit { context in
      let entry = try context.insert("Entry")
      try entry.setValue("tail", .string("three"))
      try entry.setRelated("pilot", context.first("Pilot"))
      try entry.addRelated("tags", context.insert("Tag"))
    }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit { try $0.delete($0.first("Entry")) }
    let given = try await syncRefused()
    #expect(try tails(ben) == [])
    #expect(try ben.store.discardFailedChanges(of: given) == 2)
    #expect(try tails(ben) == tails(ann))
    try ann.edit(first: "Entry") { try $0.setValue("tail", .string("four")) }
    for device in [ann, ben] { #expect(try await device.sync().outcome == .complete) }
    #expect(try tails(ann).count == 1)
    #expect(try tails(ben) == tails(ann))
    for device in [ann, ben] {
      let context = ModelContext(device.store)
      defer { withExtendedLifetime(context) {} }
      #expect(try context.first("Entry").relatedObjects("tags").count == 1)
      #expect(try await device.verify().shown == [])
    }
  }

  @Test func `who was emptied by a deletion that is given up refers to the object again`()
    async throws
  {
    try ann.edit { try $0.insert("Entry").setRelated("pilot", $0.first("Pilot")) }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit { try $0.delete($0.first("Pilot")) }
    let given = try await syncRefused()
    #expect(try ben.store.discardFailedChanges(of: given) == 2)
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    #expect(try ben.objects("Entry") == ann.objects("Entry"))
    #expect(try ben.objects("Entry").filter { $0.contains("pilot=") }.count == 1)
    for device in [ben, ann] { #expect(try await device.verify().shown == []) }
  }

  @Test func `who was emptied refers to it again, too, where the deleted object was edited before`()
    async throws
  {
    try ann.edit { try $0.insert("Entry").setRelated("pilot", $0.first("Pilot")) }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit(first: "Pilot") { try $0.setValue("name", .string("Bea")) }
    try ben.edit { try $0.delete($0.first("Pilot")) }
    let given = try await syncRefused()
    #expect(try ben.changes(.failed).count { $0.change.kind == .delete } == 1)
    #expect(try ben.store.discardFailedChanges(of: given) == 2)
    #expect(try ben.objects("Entry") == ann.objects("Entry"))
    #expect(try await ben.verify().shown == [])
  }

  @Test func `a reference to who has not come waits again when it was emptied in vain`()
    async throws
  {
    try await comeBack("entry", with: [("pilot", RecordField(.string("missing")))])
    for device in [ann, ben] { try await device.sync() }
    try ben.edit { try $0.first("Entry").setRelated("pilot", $0.first("Pilot")) }
    try ben.edit(first: "Entry") { try $0.setRelated("pilot", nil) }
    try await syncRefused()
    #expect(try ben.store.discardFailedChanges(of: ["entry"]) == 1)
    try await comeBack("missing", as: "Pilot", with: [])
    for device in [ann, ben] { #expect(try await device.sync().outcome == .complete) }
    for device in [ann, ben] { #expect(try device.objects("Entry") == ["pilot=missing"]) }
    #expect(try await ben.verify().shown == [])
  }

  @Test func `what was edited since it failed is sent, and not given up`() async throws {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("three")) }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("four")) }
    try await syncRefused()
    try ben.edit(first: "Entry") { try $0.setValue("tail", .string("five")) }
    #expect(try ben.store.discardFailedChanges() == 2)
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    #expect(try ann.objects("Entry") == ["tail=five"])
    #expect(try await ben.verify().shown == [])
  }

  @Test func `what a deleted object waited for is nothing to the one that is back`() async throws {
    try ann.edit { try $0.insert("Entry").setRelated("pilot", $0.first("Pilot")) }
    try ann.edit { try $0.insert("Pilot").setValue("name", .string("Bea")) }
    for device in [ann, ben] { try await device.sync() }
    let entry = try #require(try ben.firstRecord(of: "Entry"))
    let pilot = try #require(try ann.firstRecord(of: "Pilot"))
    // As who has it refer to one that is not here yet.
    try ben.store.write { transaction in
      try SyncRows(connection: transaction.connection).wait(
        WaitingRow(record: entry.number, field: "pilot", target: "missing"))
    }
    try ben.edit { try $0.delete($0.first("Entry")) }
    let given = try await syncRefused()
    #expect(try ben.store.discardFailedChanges(of: given) == 1)
    #expect(try ben.session.read { try $0.waiting(of: entry.number) } == [])
    #expect(try ben.objects("Entry") == ["pilot=\(pilot.name)"])
  }

  @Test func `a pair that was given up before it was sent stays here when its name is deleted`()
    async throws
  {
    try ann.edit { context in
      _ = try context.insert("Entry")
      _ = try context.insert("Tag")
    }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit { try $0.first("Entry").addRelated("tags", $0.first("Tag")) }
    let given = try await syncRefused()
    #expect(try ben.store.discardFailedChanges(of: given) == 1)
    // It has the same name on every device.
    try ann.edit { try $0.first("Entry").addRelated("tags", $0.first("Tag")) }
    try await ann.sync()
    try ann.edit { try $0.first("Entry").removeRelated("tags", $0.first("Tag")) }
    for device in [ann, ben] { #expect(try await device.sync().outcome == .complete) }
    #expect(try ben.session.inspection().strays == [])
    let context = ModelContext(ben.store)
    defer { withExtendedLifetime(context) {} }
    #expect(try context.first("Entry").relatedObjects("tags").count == 1)
  }

  @Test func `a pair whose parting is given up stays when another one is joined`() async throws {
    try ann.edit { context in
      try context.insert("Entry").addRelated("tags", context.insert("Tag"))
    }
    for device in [ann, ben] { try await device.sync() }
    try ben.edit { try $0.first("Entry").removeRelated("tags", $0.first("Tag")) }
    let given = try await syncRefused()
    #expect(try ben.store.discardFailedChanges(of: given) == 1)
    try ben.edit { try $0.first("Entry").addRelated("tags", $0.insert("Tag")) }
    for device in [ben, ann] { #expect(try await device.sync().outcome == .complete) }
    for device in [ben, ann] {
      let context = ModelContext(device.store)
      defer { withExtendedLifetime(context) {} }
      #expect(try context.first("Entry").relatedObjects("tags").count == 2)
      #expect(try await device.verify().shown == [])
    }
  }

  /// A pass of Ben's of which the server refuses all that is sent; the records of which something has failed in it.
  @discardableResult
  private func syncRefused() async throws -> Set<String> {
    let before = try ben.store.failedChanges().map(\.recordName)
    hall.setGate { $0.path == "records/modify" ? .refuse(.accessDenied) : .pass }
    try await ben.sync()
    hall.setGate(nil)
    return Set(try ben.store.failedChanges().map(\.recordName)).subtracting(before)
  }
}
