import DataModel
import Testing

@Suite struct `Entities become record types` {
  @Test func `one for each that has objects, with what it inherits, natively`() {
    let mapping = family.mapped(.native)
    #expect(mapping.schema.types.map(\.name) == ["Glider", "Plane", "Users"])
    #expect(
      fields(mapping, "Plane", beside: ["contrailClocks"]) == "power \(number), seats \(number)")
    #expect(
      fields(mapping, "Glider", beside: ["contrailClocks"])
        == "power \(number), seats \(number), span \(number)")
    #expect(
      mapping.origins[.field(type: "Glider", name: "seats")]
        == .attribute(entity: "Aircraft", name: "seats"))
    #expect(mapping.collisions == [])
    #expect(mapping.entity("Aircraft") == nil)
    #expect(mapping.entity("Plane")?.clocksField == "contrailClocks")
    #expect(mapping.entities(in: "Plane").map(\.entity) == ["Plane"])
  }

  @Test func `one for each family, with what any member has, in the mirroring`() {
    let mapping = family.mapped(.coreData)
    #expect(mapping.schema.types.map(\.name) == ["CD_Aircraft", "Users"])
    #expect(
      fields(mapping, "CD_Aircraft") == """
        CD_entityName STRING QUERYABLE SEARCHABLE SORTABLE, \
        CD_moveReceipt BYTES QUERYABLE SORTABLE, CD_moveReceipt_ckAsset ASSET, \
        CD_power \(number), CD_seats \(number), CD_span \(number)
        """)
    #expect(mapping.origins[.recordType("CD_Aircraft")] == .entity("Aircraft"))
    #expect(mapping.entities(in: "CD_Aircraft").map(\.entity) == ["Glider", "Plane"])
    #expect(mapping.entity("Glider")?.entityNameField == "CD_entityName")
  }

  @Test func `with the system's fields, the default grants, and the type of people`() {
    let mapping = Schema(entities: [.init(name: "Thing")]).mapped(.native)
    let type = mapping.schema.type("Thing")
    #expect(
      type?.fields.map(\.name) == [
        "___createTime", "___createdBy", "___etag", "___modTime", "___modifiedBy", "___recordID",
        "contrailClocks",
      ])
    #expect(
      type?.grants == [
        .init(to: "_creator", .write), .init(to: "_icloud", .create), .init(to: "_world", .read),
      ])
    #expect(
      mapping.schema.type("Users")?.field("roles")
        == .init(name: "roles", type: .int64, isList: true))
    #expect(mapping.origins == [.recordType("Thing"): .entity("Thing")])
  }

  /// An abstract root, and a concrete entity that inherits from a concrete one.
  private let family = Schema(entities: [
    .init(
      name: "Aircraft", isAbstract: true, attributes: [.init(name: "seats", type: .integer16)]),
    .init(
      name: "Plane", parent: "Aircraft", attributes: [.init(name: "power", type: .integer16)]),
    .init(name: "Glider", parent: "Plane", attributes: [.init(name: "span", type: .integer16)]),
  ])
  private let number = "INT64 QUERYABLE SORTABLE"
}
