import DataModel
import Foundation
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

@Suite struct EchoTests {
  let hall = RecordHall()
  let ann: Device
  let ben: Device

  init() throws {
    ann = try Device(1, hall, schema: TwoDevicesTests.schema)
    ben = try Device(2, hall, schema: TwoDevicesTests.schema)
  }

  private func insert(_ tail: String, _ device: Device) throws {
    let context = ModelContext(device.store)
    try context.insert("Entry").setValue("tail", .string(tail))
    try context.save()
  }

  private func token(_ device: Device) throws -> String? {
    try device.session.read { try $0.zones().first?.token }
  }

  /// Sends what there is, and takes in the answer.
  private func push(_ device: Device) async throws {
    _ = try await device.carryOut(.schema)
    for _ in 0..<2 { _ = try await device.carryOut(.push) }
  }

  @Test func `what was sent is not read again where nobody else wrote`() async throws {
    try await ann.sync()
    let before = try token(ann)
    try insert("N628TS", ann)
    try await push(ann)
    let after = try token(ann)
    #expect(after != before)
    _ = try await ann.carryOut(.pull)
    #expect(try token(ann) == after)
  }

  @Test func `what others wrote before is read all the same`() async throws {
    try await ann.sync()
    let before = try token(ann)
    try insert("D-EXYZ", ben)
    try await ben.sync()
    try insert("N628TS", ann)
    try await push(ann)
    #expect(try token(ann) == before)
    try await ann.sync()
    #expect(try ann.objects("Entry") == ["tail=D-EXYZ", "tail=N628TS"])
  }

  @Test func `one batch is under way while the next is put together`() async throws {
    try await ann.sync()
    _ = try await ann.carryOut(.schema)
    ann.session.batchSize = BatchSize(limit: 1)
    for tail in ["A", "B", "C"] { try insert(tail, ann) }
    guard case .call(let first) = try ann.session.begin(.push, now: hall.now()) else {
      return #expect(Bool(false), "nothing is sent")
    }
    try ann.session.work(now: hall.now())
    #expect(try ann.session.read { try $0.flights().count } == 2)
    // The answer to the first is lost: the second was never sent, and nothing is known of the first.
    _ = await hall.send(first)
    _ = try ann.session.finish(
      .push, .failure(TransportFailure("lost")), now: hall.now())
    #expect(try ann.changes(.pending).filter(\.change.mayHaveArrived).count == 1)
    try await ann.sync()
    try await ben.sync()
    #expect(try ben.objects("Entry") == ["tail=A", "tail=B", "tail=C"])
  }
}
