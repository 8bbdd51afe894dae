import DataModel
import JSONStream
import RecordWire
import Testing

/// Each limit by its name: what is just within it is read, one more is refused.
@Suite struct LimitTests {
  private func lookup(_ count: Int) -> LookupRequest {
    LookupRequest(records: (0..<count).map { .init(recordName: "R\($0)") })
  }

  private func save(_ fields: RecordFields) -> ModifyRequest {
    ModifyRequest(operations: [
      RecordOperation(.create, Record(recordName: "A", recordType: "T", fields: fields))
    ])
  }

  /// The error of reading what `message` writes.
  private func refusal<Message: WireMessage>(
    _ message: Message, _ limits: WireLimits = .request
  ) throws -> WireError? {
    let json = try message.json()
    do {
      _ = try Message(json: json, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test func `two hundred items of a list are read, and no more`() throws {
    #expect(try refusal(lookup(200)) == nil)
    #expect(try refusal(lookup(201))?.message == "expected at most 200 elements, found more")
    #expect(try refusal(lookup(201), .response) == nil)
    let operations = (0..<201).map { index in
      RecordOperation(.forceDelete, Record(recordName: "R\(index)"))
    }
    #expect(try refusal(ModifyRequest(operations: operations))?.code == .limitExceeded)
    #expect(try refusal(ModifyRequest(operations: operations.dropLast())) == nil)
  }

  @Test(arguments: [
    "a\u{0}", "\u{1}a", "a\nb", "a\u{1f}", "a\u{7f}", "a\u{80}", "\u{9f}a",
  ])
  func `a name with a control character is refused in requests`(name: String) throws {
    let zone = ZoneIdentity(name: name)
    let refusals = [
      try refusal(LookupRequest(records: [.init(recordName: name)])),
      try refusal(LookupRequest(records: [], zone: zone)),
      try refusal(ZoneLookupRequest(zones: [zone])),
      try refusal(save(["f": .reference(RecordReference(recordName: name))])),
    ]
    for error in refusals {
      #expect(error?.message == "expected a name without control characters, found one with some")
      #expect(error?.requestFailure.code == .badRequest)
    }
    // What a server has from before can be read.
    #expect(try refusal(LookupRequest(records: [], zone: zone), .response) == nil)
  }

  @Test(arguments: ["a b", "\u{a0}", "~", "\u{e9}", "\u{1f600}", "\u{c0}"])
  func `any other name is read`(name: String) throws {
    #expect(try refusal(LookupRequest(records: [.init(recordName: name)])) == nil)
  }

  @Test func `a record has at most 256 fields`() throws {
    func fields(_ count: Int) -> RecordFields {
      RecordFields((0..<count).map { ("f\($0)", RecordField(.int64(1))) })
    }
    #expect(try refusal(save(fields(256))) == nil)
    let error = try refusal(save(fields(257)))
    #expect(error?.message == "expected at most 256 fields, found more")
    #expect(error?.recordName == "A")
  }

  @Test func `a record has at most a mebibyte, and the error names it`() throws {
    let most = WireLimits.request.recordBytesMax
    #expect(try refusal(save(["f": .bytes([UInt8](repeating: 1, count: most - 1))])) == nil)
    let error = try refusal(save(["f": .bytes([UInt8](repeating: 1, count: most))]))
    #expect(error?.code == .limitExceeded)
    #expect(error?.reason == "record too large (operations[0].record.fields of record 'A')")
    let asset = RecordAsset(size: 1 << 40, receipt: "r")
    #expect(try refusal(save(["f": .asset(asset)])) == nil)
  }

  @Test func `names and tokens are bounded`() throws {
    let long = String(repeating: "n", count: 256)
    #expect(try refusal(save([long: .int64(1)]))?.code == .limitExceeded)
    #expect(try refusal(save([String(long.dropLast()): .int64(1)])) == nil)
    #expect(try refusal(ZoneLookupRequest(zones: [.init(name: long)]))?.code == .limitExceeded)
    let token = String(repeating: "t", count: WireLimits.request.tokenBytesMax + 1)
    #expect(try refusal(DatabaseChangesRequest(syncToken: token))?.path == "syncToken")
  }

  @Test func `lists, clauses, nesting and the whole are bounded`() throws {
    var limits = WireLimits.request
    limits.listElementsMax = 2
    limits.clausesMax = 1
    let list = RecordValue.list([.int64(1), .int64(2), .int64(3)], of: .int64)
    #expect(try refusal(save(["l": list]), limits)?.code == .limitExceeded)
    let sorts = [QuerySort(.field("a")), QuerySort(.field("b"))]
    let query = QueryRequest(RecordQuery(recordType: "T", sorts: sorts))
    #expect(try refusal(query, limits)?.path == "query.sortBy")
    limits.messageBytesMax = 10
    #expect(try refusal(query, limits)?.code == .limitExceeded)
    let nested = Array((String(repeating: "[", count: 17)).utf8)
    #expect(throws: WireError.self) { try EmptyRequest(json: nested) }
  }

  @Test func `an infinity is refused when it is written`() {
    let error = #expect(throws: WireError.self) { try save(["d": .double(.infinity)]).json() }
    #expect(error?.code == .unwritable)
    #expect(throws: WireError.self) {
      try FieldBytes(["d": .list([.double(.nan)], of: .double)], numbersAsStrings: true)
    }
  }

  @Test func `a record's name is told although it comes after the field that is wrong`() throws {
    let json =
      #"{"operations":[{"record":{"fields":{"when":{"value":1.5,"type":"TIMESTAMP"}},"#
      + #""recordName":"Late"},"operationType":"create"}]}"#
    let error = #expect(throws: WireError.self) { try ModifyRequest(json: Array(json.utf8)) }
    #expect(error?.recordName == "Late")
    #expect(error?.field == "when")
    #expect(
      error?.requestFailure.reason
        == "Invalid value, expected type TIMESTAMP. (operations[0].record.fields.when.value of record 'Late')"
    )
  }

  @Test func `stored bytes are written into a record as they are, or by the wanted names`() throws {
    let stored = try FieldBytes(["a": .int64(1), "b": .string("x"), "c": .null])
    let record = Record(recordName: "A", recordType: "T", changeTag: ChangeTag(counter: 1))
    func written(_ keys: DesiredKeys?) throws -> String {
      var json = JSONWriter()
      try stored.json.withUnsafeBufferPointer { bytes in
        try record.write(to: &json, as: .response, around: bytes, desiredKeys: keys)
      }
      return String(decoding: try json.finish(), as: UTF8.self)
    }
    let end = #","pluginFields":{},"recordChangeTag":"1","deleted":false}"#
    #expect(
      try written(nil) == #"{"recordName":"A","recordType":"T","fields":{"a":{"value":1,"#
        + #""type":"INT64"},"b":{"value":"x","type":"STRING"},"c":{"value":null}}"# + end)
    #expect(
      try written(["b", "z"]) == #"{"recordName":"A","recordType":"T","fields":{"#
        + #""b":{"value":"x","type":"STRING"}}"# + end)
    #expect(try written([]) == #"{"recordName":"A","recordType":"T","fields":{}"# + end)
    #expect(throws: WireError.self) { try FieldBytes(checked: [91]).filtered(by: []) }
    #expect(throws: WireError.self) { try FieldBytes(checked: []).fields() }
  }
}
