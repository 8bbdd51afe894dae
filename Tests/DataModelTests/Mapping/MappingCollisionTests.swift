import DataModel
import Testing

@Suite struct `A name that a mapping cannot use is reported` {
  @Test func `where a property wants a field that the mapping needs`() {
    #expect(
      collisions(["contrailClocks"], .native) == [
        "Thing.contrailClocks claims the field Thing.contrailClocks, which the mapping needs itself"
      ])
    #expect(
      collisions(["entityName", "moveReceipt", "photo_ckAsset"], .coreData) == [
        "Thing.entityName claims the field CD_Thing.CD_entityName, which the mapping needs itself",
        "Thing.moveReceipt claims the field CD_Thing.CD_moveReceipt, which the mapping needs itself",
        "Thing.moveReceipt claims the field CD_Thing.CD_moveReceipt_ckAsset, which the mapping "
          + "needs itself",
        "Thing.photo_ckAsset claims the field CD_Thing.CD_photo_ckAsset, which the mapping needs "
          + "itself",
      ])
  }

  @Test func `where a twin is in the way`() {
    #expect(
      collisions(["photo", "photo_ckAsset"], .coreData) == [
        "Thing.photo_ckAsset claims the field CD_Thing.CD_photo_ckAsset, which the mapping needs "
          + "itself",
        "Thing.photo and Thing.photo_ckAsset both claim the field CD_Thing.CD_photo_ckAsset",
      ])
  }

  @Test func `where a member's field is an attribute's too`() {
    let schema = Schema(
      entities: [
        .init(
          name: "Thing",
          attributes: [
            .init(name: "at", type: .composite, compositeName: "Point"),
            .init(name: "at_x", type: .double),
          ])
      ], composites: [.init(name: "Point", attributes: [.init(name: "x", type: .double)])])
    #expect(
      schema.mapped(.native).collisions.map(\.description) == [
        "Thing.at and Thing.at_x both claim the field Thing.at_x"
      ])
  }

  @Test func `where an entity has the name of the type of people, or of an edge's`() {
    let many = Schema.Relationship(name: "tags", destination: "Tag", isToMany: true)
    let schema = Schema(entities: [
      .init(name: "Users"), .init(name: "Post", relationships: [many]), .init(name: "Tag"),
      .init(name: "Post_tags", attributes: [.init(name: "source", type: .double)]),
    ])
    let mapping = schema.mapped(.native)
    #expect(
      mapping.collisions.map(\.description) == [
        "Users claims the record type Users, which the mapping needs itself",
        "Post_tags and Post.tags both claim the record type Post_tags",
      ])
    #expect(mapping.schema.type("Users") == RecordSchema.usersType)
    #expect(
      fields(mapping, "Post_tags", beside: ["contrailClocks"]) == "source DOUBLE QUERYABLE SORTABLE"
    )
  }

  @Test func `where a server would refuse it`() {
    let long = String(repeating: "a", count: 256)
    #expect(
      collisions([long, "höhe"], .native) == [
        "Thing.\(long) gives the field Thing.\(long) a name of more than 255 characters",
        "Thing.höhe gives the field Thing.höhe a name that is not a letter followed by letters, "
          + "digits and underscores",
      ])
  }

  @Test func `where members of a family want one field to be two things`() {
    func family(_ other: Schema.AttributeType) -> Schema {
      Schema(entities: [
        .init(name: "Base"),
        .init(name: "Left", parent: "Base", attributes: [.init(name: "size", type: .double)]),
        .init(name: "Right", parent: "Base", attributes: [.init(name: "size", type: other)]),
      ])
    }
    #expect(family(.float).mapped(.coreData).collisions == [])
    #expect(family(.string).mapped(.native).collisions == [])
    #expect(
      family(.date).mapped(.coreData).collisions.map(\.description) == [
        "Left.size and Right.size both claim the field CD_Base.CD_size"
      ])
  }

  @Test func `where an entity declares again what it inherits`() {
    let schema = Schema(entities: [
      .init(name: "Base", attributes: [.init(name: "size", type: .double)]),
      .init(name: "Left", parent: "Base", attributes: [.init(name: "size", type: .double)]),
    ])
    #expect(
      schema.mapped(.coreData).collisions.map(\.description) == [
        "Base.size and Left.size both claim the field CD_Base.CD_size"
      ])
  }

  private func collisions(_ attributes: [String], _ profile: MappingProfile) -> [String] {
    let schema = Schema(entities: [
      .init(name: "Thing", attributes: attributes.map { .init(name: $0, type: .string) })
    ])
    return schema.mapped(profile).collisions.map(\.description)
  }
}
