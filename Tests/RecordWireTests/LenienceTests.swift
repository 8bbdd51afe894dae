import DataModel
import RecordWire
import Testing

/// The compatibility checklist of the protocol: one row for what each client is known to send or to
/// expect, as far as messages are concerned.
@Suite struct LenienceTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var field: String
    var expected: RecordField
  }

  static let fields: [Row] = [
    row("no type: integer", #"{"value":5}"#, .untyped(.integer(5))),
    row("no type: fraction", #"{"value":5.5}"#, .untyped(.double(5.5))),
    row("no type: text", #"{"value":"a"}"#, .untyped(.string("a"))),
    row("no type: truth value", #"{"value":true}"#, .untyped(.boolean(true))),
    row("no type: list", #"{"value":[1,2]}"#, .untyped(.array([.integer(1), .integer(2)]))),
    row("null type", #"{"value":5,"type":null}"#, .untyped(.integer(5))),
    row("null clears", #"{"value":null}"#, .null),
    row("null with a type clears", #"{"value":null,"type":"STRING_LIST"}"#, .null),
    row("a field that is null clears", "null", .null),
    row("type before value", #"{"type":"TIMESTAMP","value":5}"#, .timestamp(5)),
    row("ASSET", #"{"value":{"receipt":"r"},"type":"ASSET"}"#, .asset(.init(receipt: "r"))),
    row("ASSETID", #"{"value":{"receipt":"r"},"type":"ASSETID"}"#, .asset(.init(receipt: "r"))),
    row("ASSET_LIST", #"{"value":[],"type":"ASSET_LIST"}"#, .list([], of: .asset)),
    row("ASSETID_LIST", #"{"value":[],"type":"ASSETID_LIST"}"#, .list([], of: .asset)),
    row("empty list", #"{"value":[],"type":"STRING_LIST"}"#, .list([], of: .string)),
    row("UNKNOWN_LIST", #"{"value":[],"type":"UNKNOWN_LIST"}"#, .untyped(.array([]))),
    row("a truth value as INT64", #"{"value":false,"type":"INT64"}"#, .int64(0)),
    row("an integer as DOUBLE", #"{"value":5,"type":"DOUBLE"}"#, .double(5)),
    row("numbers as strings", #"{"value":"-7","type":"INT64"}"#, .int64(-7)),
    row("a time as a string", #"{"value":"7","type":"TIMESTAMP"}"#, .timestamp(7)),
    row(
      "a sentinel of times", #"{"value":-62135769600000,"type":"TIMESTAMP"}"#,
      .timestamp(-62_135_769_600_000)),
    row("unknown keys", #"{"value":1,"type":"INT64","x":{"y":[]}}"#, .int64(1)),
    Row(
      testDescription: "ENCRYPTED_BYTES", field: #"{"value":"AA==","type":"ENCRYPTED_BYTES"}"#,
      expected: RecordField(.bytes([0]), isEncrypted: true)),
    Row(
      testDescription: "isEncrypted", field: #"{"value":"a","type":"STRING","isEncrypted":true}"#,
      expected: RecordField(.string("a"), isEncrypted: true)),
    row(
      "a reference without an action, in queries",
      #"{"value":{"recordName":"_abc"},"type":"REFERENCE"}"#,
      .reference(.init(recordName: "_abc"))),
  ]

  private static func row(_ name: String, _ field: String, _ value: RecordValue) -> Row {
    Row(testDescription: name, field: field, expected: RecordField(value))
  }

  @Test(arguments: fields) func `a field is read as it is meant`(row: Row) throws {
    let json =
      #"{"operations":[{"operationType":"create","record":{"fields":{"f":"#
      + row.field + "}}}]}"
    let request = try ModifyRequest(json: Array(json.utf8))
    let expected = RecordFields([("f", row.expected)])
    #expect(request.operations.map(\.record.content) == [.fields(expected)])
  }

  @Test func `a body without bytes is enough for the lists, and for a feed from the beginning`()
    throws
  {
    #expect(try EmptyRequest(json: []) == EmptyRequest())
    #expect(try EmptyRequest(json: Array("{}".utf8)) == EmptyRequest())
    #expect(try DatabaseChangesRequest(json: []) == DatabaseChangesRequest())
    #expect(throws: WireError.self) { try ModifyRequest(json: []) }
    for path in ["zones/list", "users/caller", "users/current"] {
      #expect(WireEndpoint.at(path)?.methods == [.get, .post], "\(path)")
    }
  }

  @Test func `records always carry the keys that clients demand, and types come back`() throws {
    var record = Record(
      recordName: "A", recordType: "T",
      fields: ["a": .list([], of: .asset), "b": .asset(.init(size: 1)), "c": .double(1)],
      changeTag: ChangeTag(counter: 1), zone: ZoneIdentity(name: "Z", owner: "_o"))
    record.created = RecordStamp(timestamp: 1)
    record.modified = RecordStamp(timestamp: 2)
    let json = try RecordsResponse(records: [.record(record)]).json()
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"records":[{"recordName":"A","recordType":"T","fields":{"#
        + #""a":{"value":[],"type":"ASSETID_LIST"},"b":{"value":{"size":1},"type":"ASSETID"},"#
        + #""c":{"value":1.0,"type":"DOUBLE"}},"pluginFields":{},"recordChangeTag":"1","#
        + #""created":{"timestamp":1},"modified":{"timestamp":2},"deleted":false,"#
        + #""zoneID":{"zoneName":"Z","ownerRecordName":"_o"}}]}"#)
  }

  @Test func `a page of zone changes has its zone, its token and whether more is coming`() throws {
    let page = RecordChangesResponse(records: [], syncToken: "t", isMoreComing: false)
    let answer = ZoneChangesResponse(zones: [.page(ZoneIdentity(name: "Z"), page)])
    #expect(
      String(decoding: try answer.json(), as: UTF8.self)
        == #"{"zones":[{"zoneID":{"zoneName":"Z"},"records":[],"syncToken":"t","moreComing":false}]}"#
    )
  }

  @Test func `both spellings of numbersAsStrings are read everywhere`() throws {
    for key in ["numbersAsStrings", "numberAsStrings"] {
      let end = #","\#(key)":true}"#
      func bytes(_ start: String) -> [UInt8] { Array((start + end).utf8) }
      #expect(try ModifyRequest(json: bytes(#"{"operations":[]"#)).numbersAsStrings)
      #expect(try LookupRequest(json: bytes(#"{"records":[]"#)).numbersAsStrings)
      #expect(try QueryRequest(json: bytes(#"{"query":{"recordType":"T"}"#)).numbersAsStrings)
      let changes = try ZoneChangesRequest(json: bytes(#"{"zones":[]"#))
      #expect(changes.options.numbersAsStrings == true)
      let one = try RecordChangesRequest(json: bytes(#"{"zoneID":{"zoneName":"Z"}"#))
      #expect(one.options.numbersAsStrings == true)
    }
  }

  @Test func `codes are the fourteen of the protocol and the one for expired tokens`() {
    let table = ErrorCode.rows.map { "\($0.code.rawValue) \($0.status)" }
    #expect(
      table == [
        "ACCESS_DENIED 403", "ATOMIC_ERROR 400", "AUTHENTICATION_FAILED 401",
        "AUTHENTICATION_REQUIRED 421", "BAD_REQUEST 400", "CONFLICT 409", "EXISTS 409",
        "INTERNAL_ERROR 500", "NOT_FOUND 404", "QUOTA_EXCEEDED 413", "THROTTLED 429",
        "TRY_AGAIN_LATER 503", "VALIDATING_REFERENCE_ERROR 412", "ZONE_NOT_FOUND 404",
        "CHANGE_TOKEN_EXPIRED 400",
      ])
    #expect(ErrorCode.rows.allSatisfy { !$0.reason.isEmpty })
    #expect(ErrorCode(rawValue: "ZONE_BUSY").row == nil)
  }
}
