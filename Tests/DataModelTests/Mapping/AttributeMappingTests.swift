@testable import DataModel
import Testing

@Suite struct `An attribute becomes a field` {
  @Test(
    arguments: [
      (.integer16, "a INT64 QUERYABLE SORTABLE"), (.integer32, "a INT64 QUERYABLE SORTABLE"),
      (.integer64, "a INT64 QUERYABLE SORTABLE"), (.boolean, "a INT64 QUERYABLE SORTABLE"),
      (.double, "a DOUBLE QUERYABLE SORTABLE"), (.float, "a DOUBLE QUERYABLE SORTABLE"),
      (.decimal, "a STRING QUERYABLE SEARCHABLE SORTABLE"),
      (.string, "a STRING QUERYABLE SEARCHABLE SORTABLE"),
      (.uuid, "a STRING QUERYABLE SEARCHABLE SORTABLE"),
      (.uri, "a STRING QUERYABLE SEARCHABLE SORTABLE"),
      (.date, "a TIMESTAMP QUERYABLE SORTABLE"), (.binaryData, "a BYTES QUERYABLE SORTABLE"),
      (.transformable, "a BYTES QUERYABLE SORTABLE"), (.undefined, ""), (.objectID, ""),
      (.composite, ""), (.init(rawValue: "hologram"), ""),
    ] as [(Schema.AttributeType, String)])
  func `natively, by its type`(type: Schema.AttributeType, expected: String) {
    let mapping = schema(with: .init(name: "a", type: type)).mapped(.native)
    #expect(fields(mapping, "Thing", beside: ["contrailClocks"]) == expected)
    #expect(mapping.unmapped == (expected.isEmpty ? [attribute] : []))
  }

  @Test(
    arguments: [
      (.integer16, "CD_a INT64 QUERYABLE SORTABLE"), (.integer32, "CD_a INT64 QUERYABLE SORTABLE"),
      (.integer64, "CD_a INT64 QUERYABLE SORTABLE"), (.boolean, "CD_a INT64 QUERYABLE SORTABLE"),
      (.double, "CD_a DOUBLE QUERYABLE SORTABLE"), (.float, "CD_a DOUBLE QUERYABLE SORTABLE"),
      (.decimal, "CD_a DOUBLE QUERYABLE SORTABLE"),
      (.string, "CD_a STRING QUERYABLE SEARCHABLE SORTABLE, CD_a_ckAsset ASSET"),
      (.uuid, "CD_a STRING QUERYABLE SEARCHABLE SORTABLE"),
      (.uri, "CD_a STRING QUERYABLE SEARCHABLE SORTABLE, CD_a_ckAsset ASSET"),
      (.date, "CD_a TIMESTAMP QUERYABLE SORTABLE"),
      (.binaryData, "CD_a BYTES QUERYABLE SORTABLE, CD_a_ckAsset ASSET"),
      (.transformable, "CD_a BYTES QUERYABLE SORTABLE, CD_a_ckAsset ASSET"),
      (.composite, "CD_a BYTES QUERYABLE SORTABLE"), (.undefined, ""), (.objectID, ""),
      (.init(rawValue: "hologram"), ""),
    ] as [(Schema.AttributeType, String)])
  func `for Core Data's mirroring, by its type`(type: Schema.AttributeType, expected: String) {
    let mapping = schema(with: .init(name: "a", type: type)).mapped(.coreData)
    #expect(fields(mapping, "CD_Thing", beside: coreDataFields) == expected)
    #expect(mapping.unmapped == (expected.isEmpty ? [attribute] : []))
  }

  @Test(
    arguments: [
      (.encrypted, .string, "a ENCRYPTED STRING", "CD_a ENCRYPTED STRING, CD_a_ckAsset ASSET"),
      (.encrypted, .date, "a ENCRYPTED TIMESTAMP", "CD_a ENCRYPTED TIMESTAMP"),
      (
        .externalStorage, .binaryData, "a ASSET",
        "CD_a BYTES QUERYABLE SORTABLE, CD_a_ckAsset ASSET"
      ),
      (
        [.externalStorage, .encrypted], .binaryData, "a ASSET",
        "CD_a ENCRYPTED BYTES, CD_a_ckAsset ASSET"
      ),
      (.externalStorage, .integer64, "a INT64 QUERYABLE SORTABLE", "CD_a INT64 QUERYABLE SORTABLE"),
      (.transient, .string, "", ""), (.ephemeral, .string, "", ""),
    ] as [(Schema.Attribute.Options, Schema.AttributeType, String, String)])
  func `as its options say`(
    options: Schema.Attribute.Options, type: Schema.AttributeType, native: String, coreData: String
  ) {
    let schema = schema(with: .init(name: "a", type: type, options: options))
    #expect(fields(schema.mapped(.native), "Thing", beside: ["contrailClocks"]) == native)
    #expect(fields(schema.mapped(.coreData), "CD_Thing", beside: coreDataFields) == coreData)
    #expect(schema.mapped(.native).unmapped == [])
  }

  @Test func `unless it is derived, since every device derives it itself`() {
    let schema = schema(with: .init(name: "a", type: .integer64, derivation: "entries.@count"))
    #expect(fields(schema.mapped(.native), "Thing", beside: ["contrailClocks"]) == "")
    #expect(fields(schema.mapped(.coreData), "CD_Thing", beside: coreDataFields) == "")
  }

  @Test func `or a field for each member of a composite, at any depth`() {
    let schema = Schema(
      entities: [
        .init(
          name: "Thing",
          attributes: [.init(name: "a", type: .composite, compositeName: "Place")])
      ],
      composites: [
        .init(
          name: "Place",
          attributes: [
            .init(name: "name", type: .string, options: .encrypted),
            .init(name: "point", type: .composite, compositeName: "Point"),
            .init(name: "guess", type: .string, options: .transient),
          ]),
        .init(
          name: "Point",
          attributes: [.init(name: "x", type: .double), .init(name: "y", type: .double)]),
      ])
    let mapping = schema.mapped(.native)
    #expect(
      fields(mapping, "Thing", beside: ["contrailClocks"])
        == "a_name ENCRYPTED STRING, a_point_x DOUBLE QUERYABLE SORTABLE, "
        + "a_point_y DOUBLE QUERYABLE SORTABLE")
    #expect(mapping.origins[.field(type: "Thing", name: "a_point_x")] == attribute)
    #expect(
      mapping.entity("Thing")?.properties["a"]
        == .composite([
          "name": .attribute(.init(name: "a_name", type: .string, isEncrypted: true)),
          "point": .composite([
            "x": .attribute(.init(name: "a_point_x", type: .double, isEncrypted: false)),
            "y": .attribute(.init(name: "a_point_y", type: .double, isEncrypted: false)),
          ]),
        ]))
  }

  @Test func `but not one for each turn of composites that contain each other`() {
    let schema = Schema(
      entities: [
        .init(
          name: "Thing", attributes: [.init(name: "a", type: .composite, compositeName: "Loop")])
      ],
      composites: [
        .init(
          name: "Loop",
          attributes: [
            .init(name: "again", type: .composite, compositeName: "Loop"),
            .init(name: "x", type: .double),
          ])
      ])
    let mapping = schema.mapped(.native)
    #expect(
      fields(mapping, "Thing", beside: ["contrailClocks"]) == "a_x DOUBLE QUERYABLE SORTABLE")
    #expect(mapping.unmapped == [attribute])
  }

  private let attribute = SchemaElement.attribute(entity: "Thing", name: "a")

  private func schema(with attribute: Schema.Attribute) -> Schema {
    Schema(entities: [.init(name: "Thing", attributes: [attribute])])
  }
}
