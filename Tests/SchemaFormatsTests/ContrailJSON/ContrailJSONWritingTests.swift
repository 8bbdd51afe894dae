import DataModel
import FoundationEssentials
import JSONStream
import Testing

@testable import SchemaFormats

@Suite struct `Contrail JSON is written` {
  @Test func `with keys in a fixed order, names sorted, and defaults left out`() throws {
    #expect(try ContrailJSON.text(of: FlightLog.schema) == FlightLog.objectsText)
  }

  @Test func `for records with a line for each index and permission`() throws {
    #expect(try ContrailJSON.text(of: FlightLog.records) == FlightLog.recordsText)
  }

  @Test func `so that one change is one line`() throws {
    var schema = FlightLog.schema
    schema.entities[0].attributes[0].defaultValue = .double(0.5)
    let before = FlightLog.objectsText.split(separator: "\n")
    let after = try ContrailJSON.text(of: schema).split(separator: "\n")
    let changes = after.difference(from: before)
    #expect(changes.insertions.count == 1 && changes.removals.count == 1)
  }

  @Test func `as nearly nothing for an empty schema`() throws {
    #expect(
      try ContrailJSON.text(of: Schema()) == """
        {
          "contrail": 1,
          "kind": "objects"
        }

        """)
  }

  @Test(
    arguments: [
      (.boolean, .boolean(true), "true"), (.integer16, .integer(7), "7"),
      (.double, .double(7), "7.0"), (.double, .double(.nan), "\"nan\""),
      (.float, .double(-.infinity), "\"-infinity\""), (.string, .string("7"), "\"7\""),
      (.decimal, .decimal(7.25), "\"7.25\""), (.binaryData, .data([1, 2]), "\"AQI=\""),
      (.uri, .uri("a:b"), "\"a:b\""), (.string, .null, "null"),
      (.date, .date(Date(timeIntervalSinceReferenceDate: 0)), "\"2001-01-01T00:00:00Z\""),
      (.date, .date(Date(timeIntervalSinceReferenceDate: -1)), "\"2000-12-31T23:59:59Z\""),
      (
        .date, .date(Date(timeIntervalSinceReferenceDate: -63_113_904_000)),
        "\"0001-01-01T00:00:00Z\""
      ),
      (
        .date, .date(Date(timeIntervalSinceReferenceDate: 252_423_993_599)),
        "\"9999-12-31T23:59:59Z\""
      ),
      (.date, .date(Date(timeIntervalSinceReferenceDate: 252_423_993_600)), "252423993600.0"),
      (.date, .date(Date(timeIntervalSinceReferenceDate: 0.25)), "0.25"),
      (.date, .string("soon"), "{\"string\":\"soon\"}"),
      (.integer16, .double(1), "{\"double\":1.0}"),
      (.transformable, .string("x"), "{\"string\":\"x\"}"),
      (.composite, .composite(["x": .integer(1)]), "{\"composite\":{\"x\":{\"integer\":1}}}"),
    ] as [(Schema.AttributeType, FieldValue, String)])
  func `with defaults as plain as they can be said`(
    type: Schema.AttributeType, value: FieldValue, text: String
  ) throws {
    let json = FieldValueJSON.json(of: value, as: type.valueKind)
    #expect(String(decoding: try json.bytes(), as: UTF8.self) == text)
  }

  @Test(
    arguments: [
      (
        Schema(entities: [.init(name: "A"), .init(name: "A")]),
        "cannot write A as JSON: there is another of the same name"
      ),
      (
        Schema(entities: [
          .init(
            name: "A",
            attributes: [.init(name: "b", type: .string, options: .init(rawValue: 1 << 15))])
        ]), "cannot write A.b as JSON: it has an option that has no name"
      ),
      (
        Schema(entities: [
          .init(
            name: "A",
            attributes: [
              .init(
                name: "b", type: .string,
                defaultValue: (0..<40).reduce(.null) { value, _ in .list([value]) })
            ])
        ]), "cannot write A.b as JSON: its default has more than 32 values in each other"
      ),
    ])
  func `unless it has no words for something`(schema: Schema, message: String) {
    let error = #expect(throws: UnwritableSchema.self) { try ContrailJSON.text(of: schema) }
    #expect(error?.description == message)
  }
}
