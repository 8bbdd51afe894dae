import DataModel
import RecordWire
import Testing

/// What a server makes of values by its schema, and what it guesses without one.
@Suite struct ValueTests {
  private static let reference = RecordReference(
    recordName: "B", action: RecordReference.Action.none)
  private static let untyped: [UntypedValue] = [
    .integer(5), .double(1.5), .string("a"), .string("7"), .string("AA=="), .boolean(true),
    .reference(reference), .location(RecordLocation(latitude: 1, longitude: 2)),
    .asset(RecordAsset(receipt: "r")),
  ]

  @Test func `untyped values become what the schema says, or are refused`() {
    let table = RecordSchema.FieldType.allCases.map { type in
      let row = Self.untyped.map { value -> String in
        guard let value = try? RecordValue.untyped(value).coerced(to: type, isList: false) else {
          return "-"
        }
        return value.type?.rawValue ?? "?"
      }
      return "\(type.rawValue): " + row.joined(separator: " ")
    }
    #expect(
      table == [
        "ASSET: - - - - - - - - ASSET",
        "BYTES: - - - - BYTES - - - -",
        "DOUBLE: DOUBLE DOUBLE - DOUBLE - - - - -",
        "INT64: INT64 - - INT64 - INT64 - - -",
        "LOCATION: - - - - - - - LOCATION -",
        "REFERENCE: - - - - - - REFERENCE - -",
        "STRING: - - STRING STRING STRING - - - -",
        "TIMESTAMP: TIMESTAMP - - TIMESTAMP - - - - -",
        "NUMBER: INT64 DOUBLE - INT64 - INT64 - - -",
      ])
  }

  @Test func `lists are coerced value by value, and a list is never a single value`() throws {
    let mixed = RecordValue.untyped(.array([.integer(1), .double(2.5), .string("3")]))
    #expect(
      try mixed.coerced(to: .double, isList: true)
        == .list([.double(1), .double(2.5), .double(3)], of: .double))
    #expect(
      try RecordValue.untyped(.array([])).coerced(to: .asset, isList: true)
        == .list([], of: .asset))
    #expect(throws: ValueMismatch(expected: "INT64_LIST")) {
      try mixed.coerced(to: .int64, isList: true)
    }
    #expect(throws: ValueMismatch(expected: "DOUBLE")) {
      try mixed.coerced(to: .double, isList: false)
    }
    #expect(throws: ValueMismatch(expected: "STRING_LIST")) {
      try RecordValue.untyped(.string("a")).coerced(to: .string, isList: true)
    }
  }

  @Test func `typed values pass when they have the type, and only then`() throws {
    #expect(try RecordValue.int64(1).coerced(to: .int64, isList: false) == .int64(1))
    #expect(try RecordValue.int64(1).coerced(to: .number, isList: false) == .int64(1))
    #expect(try RecordValue.null.coerced(to: .asset, isList: true) == .null)
    #expect(
      try RecordValue.list([.string("a")], of: .string).coerced(to: .string, isList: true)
        == .list([.string("a")], of: .string))
    let error = #expect(throws: ValueMismatch.self) {
      try RecordValue.int64(1).coerced(to: .timestamp, isList: false)
    }
    #expect(error?.reason == "Invalid value, expected type TIMESTAMP.")
    #expect(throws: ValueMismatch(expected: "ASSETID")) {
      try RecordValue.unknown(type: "HOLOGRAM", json: [48]).coerced(to: .asset, isList: false)
    }
  }

  @Test func `without a schema the JSON suggests the type`() {
    let suggested = Self.untyped.map { RecordValue.untyped($0).inferred?.type?.rawValue ?? "-" }
    #expect(
      suggested == [
        "INT64", "DOUBLE", "STRING", "STRING", "STRING", "INT64", "REFERENCE", "LOCATION", "ASSET",
      ])
    #expect(
      RecordValue.untyped(.array([.integer(1), .double(2.5)])).inferred
        == .list([.double(1), .double(2.5)], of: .double))
    #expect(RecordValue.untyped(.array([])).inferred == nil)
    #expect(RecordValue.untyped(.array([.integer(1), .string("a")])).inferred == nil)
    #expect(RecordValue.timestamp(1).inferred == .timestamp(1))
  }

  @Test func `numbers in texts are those of JSON and nothing else`() throws {
    for text in ["", " 1", "1 ", "+1", "0x1", "1e3", "1.0", "9223372036854775808", "one"] {
      #expect(throws: ValueMismatch.self, "\(text)") {
        try RecordValue.untyped(.string(text)).coerced(to: .int64, isList: false)
      }
    }
    for text in ["", " 1", "nan", "inf", "1e999", "0x1p3", ".5"] {
      #expect(throws: ValueMismatch.self, "\(text)") {
        try RecordValue.untyped(.string(text)).coerced(to: .double, isList: false)
      }
    }
    #expect(
      try RecordValue.untyped(.string("-9223372036854775808")).coerced(to: .int64, isList: false)
        == .int64(.min))
  }

  @Test func `fields are in the order of their bytes, and a name is there once`() {
    var fields: RecordFields = ["b": .int64(1), "a": .int64(2), "B": .int64(3), "b": .int64(4)]
    #expect(fields.names == ["B", "a", "b"])
    #expect(fields["b"] == RecordField(.int64(4)))
    // The same letters to a reader, and two names on the wire.
    fields["\u{e9}"] = RecordField(.int64(5))
    fields["e\u{301}"] = RecordField(.int64(6))
    #expect(fields.names.map { Array($0.utf8).count } == [1, 1, 1, 3, 2])
    fields["a"] = nil
    fields["nothing"] = nil
    #expect(fields.count == 4)
    #expect(fields["a"] == nil)
  }

  @Test func `zones are the same whatever kind they are said to be`() {
    let zone = ZoneIdentity(name: "Notes", owner: "_a", kind: .custom)
    #expect(zone == ZoneIdentity(name: "Notes", owner: "_a"))
    #expect(zone != ZoneIdentity(name: "Notes"))
    #expect(zone.description == "_a/Notes")
    #expect(ZoneIdentity.defaultZone.isDefault)
  }

  @Test func `options of a zone go before those of the whole request`() {
    let inner = ChangeOptions(resultsLimit: 1, isReversed: false)
    let outer = ChangeOptions(desiredKeys: ["a"], resultsLimit: 9, isReversed: true)
    #expect(
      inner.merged(over: outer)
        == ChangeOptions(desiredKeys: ["a"], resultsLimit: 1, isReversed: false))
  }
}
