import DataModel
import Foundation
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore
import Testing

@testable import SyncClient

/// Stores that are set up, moved, erased and leased.
@Suite struct SetupTests {
  let hall = RecordHall()
  let ann: Device

  init() throws { ann = try Device(1, hall, schema: TwoDevicesTests.schema) }

  @Test func `a store is not synced with another zone than before`() throws {
    var other = ann.configuration
    other.zone = ZoneIdentity(name: "Elsewhere")
    #expect(
      throws: SyncError(
        .otherContainer, "the store", "is synced with the zone Contrail, not Elsewhere",
        fix: "use Contrail, or another store: each has one zone")
    ) { try other.setUp(ann.store) }
    other.zone = ZoneIdentity(name: "Contrail", owner: "_bob")
    #expect(throws: SyncError.self) { try other.setUp(ann.store) }
    try ann.configuration.setUp(ann.store)
  }

  @Test func `a store is moved to another zone of its container`() async throws {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    try await ann.sync()
    ann.configuration.zone = ZoneIdentity(name: "Elsewhere")
    try ann.store.moveSync(to: ann.configuration)
    #expect(try SyncStatus.read(ann.store).pending == 1)
    try ann.restart()
    #expect(try await ann.sync() == SyncMachine.PassEnd(.complete, SyncTally(pushed: 1)))
    #expect(try SyncStatus.read(ann.store).zone == "Elsewhere")
  }

  @Test func `a synced store is erased as a whole, or stays as it was`() async throws {
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    try await ann.sync()
    let connection = try ann.session.write { _, rows in rows.connection }
    var commits = 0
    while true {
      commits += 1
      let plan = FaultPlan(failing: commits, of: [.commit])
      connection.faults = plan
      let isErased = (try? ann.store.eraseSynced()) != nil
      connection.faults = nil
      if isErased { break }
      #expect(try ann.objects("Entry") == ["tail=N1"])
      #expect(try ann.bases().count == 1)
    }
    #expect(commits > 1)
    #expect(try ModelContext(ann.store).fetch(FetchRequest("Entry")).isEmpty)
    #expect(throws: SyncError.self) { try SyncStatus.read(ann.store) }
    try ann.restart()
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["tail=N1"])
  }

  @Test func `a store that is reached by a link is the same store`() throws {
    let folder = try TemporaryFolder()
    let (path, link) = (folder.path + "/Store.sqlite", folder.path + "/Link.sqlite")
    _ = try Store(at: .file(path), schema: TwoDevicesTests.schema)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let lease = try SyncLease(.file(path))
    #expect(
      throws: SyncError(
        .busy, link, "is being synced by another process", fix: "wait for it, or end it")
    ) { try SyncLease(.file(link)) }
    withExtendedLifetime(lease) {}
  }

  @Test func `a server cannot make a change wait for ever`() async throws {
    try await ann.sync()
    try ann.edit { try $0.insert("Entry").setValue("tail", .string("N1")) }
    _ = try await ann.carryOut(.schema)
    guard case .call(let call) = try ann.session.begin(.push, now: 1_000),
      let name = try ModifyRequest(json: call.body).operations.first?.record.recordName
    else {
      Issue.record("nothing is sent")
      return
    }
    let failure = ItemFailure(.record(name), RequestFailure(.throttled, retryAfter: .max))
    let body = try RecordsResponse(records: [.failure(failure)]).json()
    _ = try ann.session.finish(.push, .success(SyncReply(status: 200, body: body)), now: 1_000)
    #expect(
      try ann.changes(.pending).map(\.retry) == [1_000 + Backoff.serverLongestMilliseconds])
  }
}
