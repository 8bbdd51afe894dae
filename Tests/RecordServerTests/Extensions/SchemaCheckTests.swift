import RecordWire
import Testing

@testable import RecordServer

/// What a client learns of a schema before it saves.
@Suite struct SchemaCheckTests {
  private static let note = """
    {"operations":[{"operationType":"create","record":{"recordName":"a","recordType":"Note",\
    "fields":{"text":{"value":"a","type":"STRING"},"count":{"value":1},\
    "secret":{"value":"s","type":"STRING","isEncrypted":true},\
    "tags":{"value":["x"],"type":"STRING_LIST"}}}}]}
    """

  private func lacks(
    _ types: String, _ world: ServiceWorld
  ) async throws -> [SchemaCheckResponse.Lack] {
    let text = await world.askExtension("schema/check", #"{"types":\#(types)}"#, .public, as: nil)
    return try SchemaCheckResponse(json: Array(text.utf8)).lacks
  }

  @Test func `types and fields that are not there are told, and those of another type`()
    async throws
  {
    let world = ServiceWorld()
    _ = await world.ask("records/modify", Self.note)
    let found = try await lacks(
      """
      [{"recordType":"Draft","fields":[{"name":"x","type":"STRING"}]},\
      {"recordType":"Note","fields":[{"name":"text","type":"STRING"},\
      {"name":"tags","type":"STRING_LIST"},{"name":"count","type":"INT64"},\
      {"name":"secret","type":"STRING","isEncrypted":true}]},\
      {"recordType":"Note","fields":[{"name":"text","type":"STRING_LIST"},\
      {"name":"tags","type":"STRING"},{"name":"count","type":"TIMESTAMP"},\
      {"name":"secret","type":"STRING"},{"name":"more","type":"BYTES"},\
      {"name":"text","type":"POLYGON"}]}]
      """, world)
    #expect(
      found.map { "\($0.recordType) \($0.field ?? "-") \($0.has ?? "-"): \($0.reason)" } == [
        "Draft - -: there is no record type 'Draft'",
        "Note text STRING: the field 'text' of the record type 'Note' is STRING, not STRING_LIST",
        "Note tags STRING_LIST: the field 'tags' of the record type 'Note' is STRING_LIST, not "
          + "STRING",
        "Note count INT64: the field 'count' of the record type 'Note' is INT64, not TIMESTAMP",
        "Note secret ENCRYPTED_STRING: the field 'secret' of the record type 'Note' is "
          + "ENCRYPTED_STRING, not STRING",
        "Note more -: the record type 'Note' has no field 'more'",
        "Note text STRING: the field 'text' of the record type 'Note' is STRING, not POLYGON",
      ])
  }

  @Test func `what a check lets pass is saved in production, and what it names is refused`()
    async throws
  {
    let world = ServiceWorld(MemoryStorage(epoch: 7), .production)
    let note = #"[{"recordType":"Note","fields":[{"name":"text","type":"STRING"}]}]"#
    #expect(try await lacks(note, world).map(\.recordType) == ["Note"])
    #expect(
      await world.ask("records/modify", Self.note).values(of: "serverErrorCode")
        == ["BAD_REQUEST"])
    let schema = try await Self.promoted()
    try await world.service.storage.write {
      try $0.setSchema(try schema.stored(), version: schema.version)
    }
    #expect(try await lacks(note, world) == [])
    #expect(
      await world.ask("records/modify", Self.note).values(of: "recordName") == ["a"])
  }

  /// A schema that has in production what the note needs.
  private static func promoted() async throws -> ContainerSchema {
    let world = ServiceWorld()
    _ = await world.ask("records/modify", note)
    let stored = try await world.service.storage.read { try $0.schema() }
    return try ContainerSchema(stored: stored ?? []).promoting(by: .test).changed()
  }
}
