import DataModel
import ObjectStore
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// Servers, and what stands before them, that answer what nobody has to answer: nothing is lost, and nobody is asked
/// the same for ever.
@Suite struct OddServerTests {
  let hall = RecordHall()
  let ann: Device

  init() throws { ann = try Device(1, hall, schema: TwoDevicesTests.schema) }

  private func insert(_ count: Int) throws {
    try ann.edit { context in
      for number in 0..<count {
        try context.insert("Entry").setValue("tail", .string("N\(number)"))
      }
    }
  }

  /// Does something to each push, told how many operations it has.
  private func onPush(_ body: @escaping @Sendable (Int) -> RecordHall.Gate) {
    hall.setGate { call in
      guard call.path == "records/modify" else { return .pass }
      return body((try? ModifyRequest(json: call.body))?.operations.count ?? 0)
    }
  }

  private var pushes: Int { hall.calls.filter { $0 == "records/modify" }.count }

  @Test func `a proxy that finds a request too large gets smaller ones, and nothing is a quota's`()
    async throws
  {
    try insert(20)
    onPush { $0 > 5 ? .page(413) : .pass }
    #expect(try await ann.sync().outcome == .complete)
    #expect(try ann.bases().count == 20)
    #expect(try SyncStatus.read(ann.store).trouble == nil)
  }

  @Test func `one record that is too large for a proxy fails by itself, and can be sent again`()
    async throws
  {
    try insert(1)
    onPush { _ in .page(413) }
    #expect(try await ann.sync().outcome == .complete)
    let failed = try ann.store.failedChanges()
    #expect(failed.map(\.code) == ["BAD_REQUEST"])
    #expect(failed.map(\.reason) == ["the server answers with status 413"])
    hall.setGate(nil)
    #expect(try ann.store.retryFailedChanges() == 1)
    try await ann.sync()
    #expect(try ann.bases().count == 1)
  }

  @Test func `a batch in which nobody is to blame is sent in parts, and what is left later`()
    async throws
  {
    try insert(3)
    onPush { _ in .refuse(.atomicError) }
    #expect(try await ann.sync().outcome == .complete)
    // All three, and one by itself; those that were made together with it wait with it. Time goes by here with each
    // question, so that it is tried again in the same pass, as often as a pass does that.
    #expect((2...2 + ann.configuration.machine.roundsMax).contains(pushes))
    let status = try SyncStatus.read(ann.store)
    #expect((status.pending, status.postponed) == (3, 1))
    hall.setGate(nil)
    hall.pass(seconds: 3_600)
    try await ann.sync()
    #expect(try ann.bases().count == 3)
  }

  @Test func `who is refused for a field that was not sent is not asked for ever`() async throws {
    try insert(2)
    onPush { _ in
      .answer(
        RequestFailure(
          .badRequest,
          reason: "Cannot create or modify field 'other' in record 'Entry' in production schema"))
    }
    #expect(try await ann.sync().outcome == .complete)
    #expect(try SyncStatus.read(ann.store).parked == 0)
    #expect(try ann.store.failedChanges().map(\.code) == ["BAD_REQUEST", "BAD_REQUEST"])
  }

  @Test func `a page that leads to itself ends the pass`() async throws {
    try insert(1)
    try await ann.sync()
    let token = try #require(try ann.session.read { try $0.zones().first?.token })
    let zone = ann.configuration.zone
    let page = ZoneChangesResponse(zones: [
      .page(zone, RecordChangesResponse(records: [], syncToken: token, isMoreComing: true))
    ])
    let body = try page.json()
    hall.setGate { $0.path == "changes/zone" ? .reply(body) : .pass }
    await #expect(throws: SyncError.self) { try await ann.sync() }
  }

  @Test func `what a server says that it takes in one request is believed up to a limit`() {
    var size = BatchSize(limit: .max)
    #expect(size.limit == BatchSize.operationsMax)
    size.grow()
    #expect(size.current == BatchSize.operationsMax)
  }

  @Test(arguments: [TroublePolicy.keepLocal, .reupload, .deleteLocal])
  func `a quota that refuses requests as a whole is decided like one of single records`(
    _ policy: TroublePolicy
  ) async throws {
    try insert(2)
    onPush { _ in .answer(RequestFailure(.quotaExceeded)) }
    #expect(try await ann.sync().outcome == .trouble(.quotaExceeded))
    #expect(try SyncStatus.read(ann.store).failed == 2)
    hall.setGate(nil)
    // Nobody has decided, and nothing is left to be sent: it waits for the decision all the same.
    #expect(try await ann.sync().outcome == .complete)
    #expect(try SyncStatus.read(ann.store).trouble == .quotaExceeded)
    try ann.session.resolve(policy, now: hall.now())
    try await ann.sync()
    let status = try SyncStatus.read(ann.store)
    #expect(status.trouble == nil)
    #expect(status.failed == (policy == .keepLocal ? 2 : 0))
    #expect(try ann.objects("Entry").count == (policy == .deleteLocal ? 0 : 2))
    #expect(try ann.bases().count == (policy == .reupload ? 2 : 0))
  }

  @Test func `a quota does not keep deletions from being sent, which make room`() async throws {
    try insert(2)
    try await ann.sync()
    try ann.edit { context in
      try context.delete(context.first("Entry"))
      try context.insert("Entry").setValue("tail", .string("new"))
    }
    onPush { $0 > 1 ? .answer(RequestFailure(.quotaExceeded)) : .pass }
    #expect(try await ann.sync().outcome == .trouble(.quotaExceeded))
    #expect(try ann.store.failedChanges().map(\.kind) == [.create])
    try ann.restart()
    try await ann.sync()
    #expect(try ann.bases().count == 1)
    try ann.session.resolve(.deleteLocal, now: hall.now())
    #expect(try ann.objects("Entry") == ["tail=N1"])
  }

  @Test func `silence takes the place of what stood in the way before, and an answer ends it`()
    throws
  {
    try ann.session.write { _, rows in try rows.note(.signIn, "", at: 1) }
    try ann.session.noteSilence("lost", now: 2)
    try ann.session.noteSilence("lost again", now: 3)
    #expect(
      try SyncStatus.read(ann.store).obstacle
        == SyncObstacle(kind: .unreachable, reason: "lost", since: 2))
    try ann.session.forgetSilence()
    #expect(try SyncStatus.read(ann.store).obstacle == nil)
  }

  @Test func `other trouble that is over is not kept by a quota that was decided about`()
    async throws
  {
    try insert(1)
    onPush { _ in .answer(RequestFailure(.quotaExceeded)) }
    try await ann.sync()
    hall.setGate(nil)
    try ann.session.resolve(.keepLocal, now: hall.now())
    try ann.restart()
    hall.user.withLock { $0 = "_ben" }
    #expect(try await ann.sync().outcome == .trouble(.accountSwitched))
    hall.user.withLock { $0 = "_ann" }
    try ann.restart()
    #expect(try await ann.sync().outcome == .complete)
    #expect(try SyncStatus.read(ann.store).trouble == nil)
    #expect(try SyncStatus.read(ann.store).failed == 1)
  }

  @Test func `a quota that leaves no room for the zone can be decided, too`() async throws {
    try insert(1)
    hall.setGate { $0.path == "zones/modify" ? .answer(RequestFailure(.quotaExceeded)) : .pass }
    #expect(try await ann.sync().outcome == .trouble(.quotaExceeded))
    #expect(try SyncStatus.read(ann.store).trouble == .quotaExceeded)
    hall.setGate(nil)
    try ann.session.resolve(.reupload, now: hall.now())
    try ann.restart()
    #expect(try await ann.sync().outcome == .complete)
    #expect(try ann.bases().count == 1)
  }
}
