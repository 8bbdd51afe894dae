import DataModel
import Foundation
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// Every kind of trouble with every policy: what is here afterwards, what the server has, and what failed.
///
/// Before, two entries are synced, `one` and `two`; the server's backup is made; `one` becomes `one+`,
/// `three` is made, and both are synced. Then comes the trouble, and meanwhile `two` becomes `two*` and
/// `four` is made.
@Suite struct TroubleTests {
  struct Row: CustomTestStringConvertible {
    var trouble: Trouble
    var policy: TroublePolicy
    var here: String
    var there: String
    var failed = 0

    var testDescription: String { "\(trouble), \(policy)" }
  }

  static let all = "four one+ three two*"

  static let rows: [Row] =
    [Trouble.accountSwitched, .zoneDeleted, .zoneReset].flatMap { trouble in
      [
        Row(trouble: trouble, policy: .keepLocal, here: all, there: "four two*"),
        Row(trouble: trouble, policy: .reupload, here: all, there: all),
        Row(trouble: trouble, policy: .deleteLocal, here: "four", there: "four", failed: 1),
      ]
    } + [
      Row(
        trouble: .serverRestored, policy: .keepLocal, here: "four one three two*",
        there: "four one two*"),
      Row(trouble: .serverRestored, policy: .reupload, here: all, there: all),
      Row(
        trouble: .serverRestored, policy: .deleteLocal, here: "four one two*",
        there: "four one two*"),
      // Nobody knows that the server has an older state, so what was edited later counts.
      Row(trouble: .tokenExpired, policy: .keepLocal, here: all, there: "four one+ two*"),
      Row(trouble: .tokenExpired, policy: .reupload, here: all, there: all),
      Row(
        trouble: .tokenExpired, policy: .deleteLocal, here: "four one+ two*",
        there: "four one+ two*"),
      Row(
        trouble: .quotaExceeded, policy: .keepLocal, here: all, there: "one+ three two", failed: 2),
      Row(trouble: .quotaExceeded, policy: .reupload, here: all, there: all),
      Row(
        trouble: .quotaExceeded, policy: .deleteLocal, here: "one+ three two",
        there: "one+ three two"),
    ]

  let hall = RecordHall()
  let ann: Device

  init() throws { ann = try Device(1, hall, schema: TwoDevicesTests.schema) }

  @Test(arguments: rows)
  func `a decision does what it says, and nothing is changed before it`(_ row: Row) async throws {
    try await meet(row.trouble)
    let before = try tails(ann)
    #expect(before == Self.all)
    #expect(try SyncStatus.read(ann.store).trouble == row.trouble)
    ann.forgetReports()
    try ann.session.resolve(row.policy, now: hall.now())
    #expect(try SyncStatus.read(ann.store).trouble == nil)
    try await expectEnd(row)
  }

  @Test(arguments: rows)
  func `a policy that was chosen before acts without asking`(_ row: Row) async throws {
    ann.configuration.machine.policies = [row.trouble: row.policy]
    try ann.restart()
    try await prepare(row.trouble)
    try await expectEnd(row)
  }

  @Test(arguments: Trouble.allCases)
  func `asking changes nothing, and the trouble stays`(_ trouble: Trouble) async throws {
    try await meet(trouble)
    try ann.session.resolve(.ask, now: hall.now())
    #expect(try tails(ann) == Self.all)
    #expect(try SyncStatus.read(ann.store).trouble == trouble)
  }

  @Test func `there is nothing to be decided where nothing has happened`() async throws {
    try await ann.sync()
    #expect(throws: SyncError.self) { try ann.session.resolve(.reupload, now: hall.now()) }
  }

  @Test func `whoever was away longer than tombstones live loses nothing and brings nothing back`()
    async throws
  {
    let ben = try Device(2, hall, schema: TwoDevicesTests.schema)
    for tail in ["one", "two", "three"] { try insert(tail) }
    try await ann.sync()
    try await ben.sync()
    try delete("one", on: ben)
    try delete("two", on: ben)
    try await ben.sync()
    #expect(try await hall.service.dropTombstones(madeBefore: .max) == 1)
    try rename("two", "two*")
    try insert("four")
    #expect(try await ann.sync().outcome == .complete)
    #expect(try tails(ann) == "four three")
    #expect(try ann.store.failedChanges().map(\.code) == [SyncFailureCode.deletedRemotely])
    try await ben.sync()
    #expect(try tails(ben) == "four three")
  }

  @Test func `a server that was put back and has grown since is noticed when it was told of that`()
    async throws
  {
    let ben = try Device(2, hall, schema: TwoDevicesTests.schema)
    try insert("one")
    try await ann.sync()
    let backup = hall.backup()
    try rename("one", "one+")
    try await ann.sync()
    hall.restore(backup)
    try await backup.write { try $0.renewEpochs(salt: 3) }
    for tail in ["three", "four", "five"] {
      try ben.edit { try $0.insert("Entry").setValue("tail", .string(tail)) }
      try await ben.sync()
    }
    #expect(try await ann.sync().outcome == .trouble(.serverRestored))
    try ann.session.resolve(.reupload, now: hall.now())
    try ann.restart()
    #expect(try await ann.sync().outcome == .complete)
    try await ben.sync()
    #expect(try tails(ann) == "five four one+ three")
    #expect(try tails(ben) == "five four one+ three")
  }

  @Test func `records of types that nobody here knows are sent again too`() async throws {
    let pilot = Schema.Entity(
      name: "Pilot",
      attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)])
    let old = try Device(2, hall, schema: Schema(name: "Log", entities: [pilot]))
    try insert("one")
    try await ann.sync()
    try await old.sync()
    let known = try old.bases()
    try await changeZone([.delete])
    _ = try await old.sync()
    try old.session.resolve(.reupload, now: hall.now())
    #expect(try await old.sync().outcome == .complete)
    let fresh = try Device(3, hall, schema: TwoDevicesTests.schema)
    try await fresh.sync()
    #expect(try tails(fresh) == "one")
    #expect(try fresh.bases() == known)
  }

  private func delete(_ tail: String, on device: Device) throws {
    let context = ModelContext(device.store)
    for entry in try context.fetch(FetchRequest("Entry"))
    where try entry.value("tail") == .string(tail) {
      try context.delete(entry)
    }
    try context.save()
  }

  // MARK: What happens

  private func meet(_ trouble: Trouble) async throws {
    try await prepare(trouble)
    let end = try await ann.sync()
    #expect(end.outcome == .trouble(trouble))
    hall.setGate(nil)
  }

  private func prepare(_ trouble: Trouble) async throws {
    if trouble == .tokenExpired { hall.hidesTokens.withLock { $0 = true } }
    try insert("one")
    try insert("two")
    try await ann.sync()
    let backup = hall.backup()
    try rename("one", "one+")
    try insert("three")
    try await ann.sync()
    switch trouble {
    case .accountSwitched: hall.user.withLock { $0 = "_bea" }
    case .zoneDeleted: try await changeZone([.delete])
    case .zoneReset: try await changeZone([.delete, .create])
    case .serverRestored, .tokenExpired: hall.restore(backup)
    case .quotaExceeded:
      hall.setGate { $0.path == "records/modify" ? .refuse(.quotaExceeded) : .pass }
    }
    try rename("two", "two*")
    try insert("four")
  }

  private func expectEnd(_ row: Row) async throws {
    let end = try await ann.sync()
    // A quota that is still used up is met again.
    let isFull = row.trouble == .quotaExceeded && end.outcome == .trouble(.quotaExceeded)
    #expect(end.outcome == .complete || isFull)
    hall.setGate(nil)
    if isFull {
      try ann.restart()
      if row.policy == .reupload { _ = try ann.store.retryFailedChanges() }
      #expect(try await ann.sync().outcome == .complete)
    }
    #expect(try tails(ann) == row.here)
    #expect(try SyncStatus.read(ann.store).failed == row.failed)
    #expect(try SyncStatus.read(ann.store).pending == 0)
    let fresh = try Device(2, hall, schema: TwoDevicesTests.schema)
    try await fresh.sync()
    #expect(try tails(fresh) == row.there)
    hall.forgetCalls()
    #expect(try await ann.sync().tally.pushed == 0)
    #expect(!hall.calls.contains("records/modify"))
  }

  private func insert(_ tail: String) throws {
    let context = ModelContext(ann.store)
    try context.insert("Entry").setValue("tail", .string(tail))
    try context.save()
  }

  private func rename(_ tail: String, _ new: String) throws {
    let context = ModelContext(ann.store)
    for entry in try context.fetch(FetchRequest("Entry"))
    where try entry.value("tail") == .string(tail) {
      try entry.setValue("tail", .string(new))
    }
    try context.save()
  }

  private func tails(_ device: Device) throws -> String {
    let context = ModelContext(device.store)
    return try context.fetch(FetchRequest("Entry")).map { entry in
      if case .string(let tail) = try entry.value("tail") { tail } else { "?" }
    }.sorted().joined(separator: " ")
  }

  private func changeZone(_ kinds: [ZoneModifyRequest.Operation.Kind]) async throws {
    let zone = ZoneIdentity(name: SyncConfiguration.nativeZone)
    for kind in kinds {
      let request = ZoneModifyRequest(operations: [.init(kind, zone)])
      let call = SyncCall("zones/modify", in: .database(.private), body: try request.json())
      guard case .success(let reply) = await hall.send(call) else { continue }
      #expect(reply.status == 200)
    }
  }
}
