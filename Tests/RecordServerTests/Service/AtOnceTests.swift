import RecordWire
import Testing

@testable import RecordServer

/// What operations answer without waiting.
@Suite struct AtOnceTests {
  /// A storage that has to be waited for.
  private struct Distant: RecordStorage {
    let near = MemoryStorage(epoch: 7)

    func write<Result: Sendable>(
      _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
    ) async throws -> Result { try await near.write(body) }

    func read<Result: Sendable>(
      _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
    ) async throws -> Result { try await near.read(body) }
  }

  private static let call = ServiceCall(
    .private, caller: RecordCaller(user: "_ann"), now: 1000,
    source: FreshSource(recordName: { "NEW" }, epoch: { 1 }))

  private static let requests = [
    ("records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#),
    (
      "records/query",
      #"{"zoneID":{"zoneName":"Notes"},"query":{"recordType":"Note","filterBy":[{"fieldName":"text","#
        + #""comparator":"EQUALS","fieldValue":{"value":"one","type":"STRING"}}]}}"#
    ),
    ("records/changes", #"{"zoneID":{"zoneName":"Notes"}}"#),
    ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#),
    ("changes/database", "{}"),
    ("zones/changes", "{}"),
    ("zones/list", ""),
    ("zones/lookup", #"{"zones":[{"zoneName":"Notes"}]}"#),
  ]

  @Test(arguments: requests)
  func `what only reads is answered at once, as it is in its turn`(
    path: String, body: String
  ) async throws {
    let world = ServiceWorld()
    await world.makeZones("Notes")
    _ = await world.save([("a", "one")])
    let atOnce = try world.service.answerAtOnce(
      NamedOperation(path), Self.call, body: Array(body.utf8))
    let inTurn = try await world.service.answer(path, Self.call, body: Array(body.utf8))
    #expect(
      atOnce.map { String(decoding: $0, as: UTF8.self) } == String(decoding: inTurn, as: UTF8.self))
  }

  @Test(arguments: requests)
  func `a storage that has to be waited for answers nothing at once`(
    path: String, body: String
  ) async throws {
    let world = ServiceWorld(Distant())
    await world.makeZones("Notes")
    _ = await world.save([("a", "one")])
    #expect(
      try world.service.answerAtOnce(NamedOperation(path), Self.call, body: Array(body.utf8)) == nil
    )
    #expect(try await !world.service.answer(path, Self.call, body: Array(body.utf8)).isEmpty)
  }

  @Test func `what writes is never answered at once`() throws {
    let world = ServiceWorld()
    let body = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}]}"#
    let answer = try world.service.answerAtOnce(
      NamedOperation("zones/modify"), Self.call, body: Array(body.utf8))
    #expect(answer == nil)
  }

  @Test func `failures at once are those of the protocol`() throws {
    let world = ServiceWorld()
    let body = #"{"zoneID":{"zoneName":"None"},"records":[{"recordName":"a"}]}"#
    #expect(throws: RequestFailure.zoneNotFound("None")) {
      _ = try world.service.answerAtOnce(
        NamedOperation("records/lookup"), Self.call, body: Array(body.utf8))
    }
    #expect(throws: RequestFailure.self) {
      _ = try world.service.answerAtOnce(
        NamedOperation("records/lookup"), Self.call, body: Array("{".utf8))
    }
  }
}
