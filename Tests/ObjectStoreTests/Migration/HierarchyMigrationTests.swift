import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct HierarchyMigrationTests {
  private func text(_ name: String, _ before: String? = nil) -> Schema.Attribute {
    Schema.Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: before)
  }

  /// Opens `old`, makes objects, opens `new` and gives what is there; tables must be as in a new store.
  private func migrate(
    _ old: [Schema.Entity], _ new: [Schema.Entity], _ fill: (ModelContext) throws -> Void
  ) throws -> (MigrationBench, [String]) {
    let bench = try MigrationBench()
    try bench.fill(Schema(entities: old), fill)
    let found = try bench.contents(Schema(entities: new))
    let shapes = try bench.shapes(Schema(entities: new))
    #expect(shapes.found == shapes.expected)
    return (bench, found)
  }

  private func insert(_ context: ModelContext, _ entity: String, _ values: [String: String]) throws
  {
    let object = try context.insert(entity)
    for (name, value) in values { try object.setValue(name, .string(value)) }
    try context.save()
  }

  /// What objects hold, without their keys.
  private func values(_ bench: MigrationBench, _ entities: [Schema.Entity]) throws -> [String] {
    try bench.contents(Schema(entities: entities)).map { $0.replacing(#/ [0-9]+:/#, with: ":") }
  }

  @Test func `an entity is added, the objects of others stay, and it may have objects at once`()
    throws
  {
    let old = [Schema.Entity(name: "A", attributes: [text("x")])]
    let new = old + [Schema.Entity(name: "New", attributes: [text("y")])]
    let (bench, found) = try migrate(old, new) { try insert($0, "A", ["x": "a"]) }
    #expect(found == ["A 1: x=\"a\""])
    #expect(
      try bench.rows("SELECT name, table_name FROM contrail_entity ORDER BY number") == [
        "\"A\" \"A\"", "\"New\" \"New\"",
      ])
    try bench.fill(Schema(entities: new)) { try insert($0, "New", ["y": "n"]) }
    #expect(try values(bench, new) == ["A: x=\"a\"", "New: y=\"n\""])
  }

  @Test func `an entity gets a new child, whose objects inherit from it and share its table`()
    throws
  {
    let old = [Schema.Entity(name: "Base", attributes: [text("x")])]
    let new = old + [Schema.Entity(name: "Child", parent: "Base", attributes: [text("y")])]
    let (bench, found) = try migrate(old, new) { try insert($0, "Base", ["x": "b"]) }
    #expect(found == ["Base 1: x=\"b\""])
    #expect(
      try bench.rows("SELECT name, table_name FROM contrail_entity ORDER BY number") == [
        "\"Base\" \"Base\"", "\"Child\" \"Base\"",
      ])
    try bench.fill(Schema(entities: new)) { context in
      try insert(context, "Child", ["x": "c", "y": "own"])
      #expect(try context.all("Base").map(\.entity) == ["Base", "Child"])
      #expect(try context.all("Child").map(\.entity) == ["Child"])
    }
    #expect(try values(bench, new) == ["Base: x=\"b\"", "Child: x=\"c\" y=\"own\""])
  }

  @Test func `a property that moves up keeps its values, and history of both children names it`()
    throws
  {
    let (bench, found) = try migrate(
      [
        .init(name: "Base"), .init(name: "A", parent: "Base", attributes: [text("x")]),
        .init(name: "B", parent: "Base", attributes: [text("x")]),
      ],
      [
        .init(name: "Base", attributes: [text("x")]), .init(name: "A", parent: "Base"),
        .init(name: "B", parent: "Base"),
      ]
    ) { context in
      try insert(context, "A", ["x": "a"])
      try insert(context, "B", ["x": "b"])
      try insert(context, "Base", [:])
      for name in ["A", "B"] { try context.all(name).first?.setValue("x", .string("\(name)2")) }
    }
    #expect(found == ["A 1: x=\"A2\"", "B 2: x=\"B2\"", "Base 3: x=null"])
    #expect(
      try bench.rows(
        """
        SELECT e.name, p.name, p.is_live FROM contrail_change AS c \
        JOIN contrail_entity AS e ON e.number = c.entity \
        JOIN contrail_property AS p ON hex(c.properties) = printf('%02X', p.number) ORDER BY 1
        """) == ["\"A\" \"x\" 1", "\"B\" \"x\" 1"])
  }

  @Test func `a property that moves down keeps its values in each child`() throws {
    let (_, found) = try migrate(
      [
        .init(name: "Base", attributes: [text("x")]), .init(name: "A", parent: "Base"),
        .init(name: "B", parent: "Base"), .init(name: "C", parent: "Base"),
      ],
      [
        .init(name: "Base"), .init(name: "A", parent: "Base", attributes: [text("y", "x")]),
        .init(name: "B", parent: "Base", attributes: [text("x")]),
        .init(name: "C", parent: "Base"),
      ]
    ) { context in
      for name in ["A", "B", "C"] { try insert(context, name, ["x": name]) }
    }
    #expect(found == ["A 1: y=\"A\"", "B 2: x=\"B\"", "C 3: "])
  }

  @Test func `an entity leaves a hierarchy with its keys, and links to it are followed`() throws {
    let link = Schema.Relationship(name: "to", destination: "Base", isToMany: true)
    let (bench, found) = try migrate(
      [
        .init(name: "Base", attributes: [text("x")]), .init(name: "A", parent: "Base"),
        .init(name: "Holder", relationships: [link]),
      ],
      [
        .init(name: "Base", attributes: [text("x")]), .init(name: "A", attributes: [text("x")]),
        .init(name: "Holder", relationships: [link]),
      ]
    ) { context in
      try insert(context, "Base", ["x": "base"])
      try insert(context, "A", ["x": "a"])
      let holder = try context.insert("Holder")
      try holder.setRelated("to", try context.all("Base"))
    }
    #expect(found == ["A 2: x=\"a\"", "Base 1: x=\"base\"", "Holder 1: to=[1]"])
    #expect(
      try bench.rows(
        "SELECT kind, entity, key, hex(properties) FROM contrail_change ORDER BY number DESC LIMIT 1"
      ) == ["2 3 1 \"02\""])
  }

  @Test func `an entity that joins a hierarchy keeps its links, its history and its identities`()
    throws
  {
    let old = Schema(entities: [
      .init(name: "Base", attributes: [text("x")]), .init(name: "A", attributes: [text("y")]),
      .init(
        name: "Holder",
        relationships: [
          .init(name: "one", destination: "A"),
          .init(name: "many", destination: "A", isToMany: true),
        ]),
    ])
    var new = old
    new.entities = new.entities.map { entity in
      var entity = entity
      if entity.name == "A" { entity.parent = "Base" }
      return entity
    }
    let bench = try MigrationBench()
    var identity: ObjectIdentity?
    try bench.fill(old) { context in
      try insert(context, "Base", ["x": "base"])
      try insert(context, "A", ["y": "a1"])
      try insert(context, "A", ["y": "a2"])
      let holder = try context.insert("Holder")
      let all = try context.all("A")
      try holder.setRelated("one", all.first)
      try holder.setRelated("many", all)
      identity = all.first?.identity
    }
    #expect(
      try bench.contents(new) == [
        "A 35: x=null y=\"a1\"", "A 36: x=null y=\"a2\"", "Base 1: x=\"base\"",
        "Holder 1: many=[35, 36] one=[35]",
      ])
    let shapes = try bench.shapes(new)
    #expect(shapes.found == shapes.expected)
    let context = ModelContext(try bench.open(new))
    let before = try #require(identity)
    let found = try #require(context.object(before))
    #expect(try found.value("y") == .string("a1"))
    let now = try #require(found.identity)
    #expect(context.object(now) === found)
    #expect(
      try bench.rows(
        """
        SELECT c.key FROM contrail_change AS c JOIN contrail_entity AS e ON e.number = c.entity \
        WHERE e.name = 'A' AND c.kind = 1 ORDER BY c.number
        """) == ["35", "36"])
    let next = try context.insert("A")
    try context.save()
    #expect(next.key == 37)
  }

  @Test func `a new parent takes the table over; an entity that goes takes its objects along`()
    throws
  {
    let (_, found) = try migrate(
      [
        .init(name: "A", attributes: [text("x"), text("own")]),
        .init(name: "B", parent: "A", attributes: [text("z")]), .init(name: "Gone", parent: "A"),
      ],
      [
        .init(name: "Top", isAbstract: true, attributes: [text("x")]),
        .init(name: "A", parent: "Top", attributes: [text("own")]),
        .init(name: "B", parent: "A", attributes: [text("z")]),
      ]
    ) { context in
      try insert(context, "A", ["x": "1", "own": "o"])
      try insert(context, "B", ["x": "2", "z": "z"])
      try insert(context, "Gone", ["x": "3"])
    }
    #expect(found == ["A 1: own=\"o\" x=\"1\"", "B 2: own=null x=\"2\" z=\"z\""])
  }

  @Test func `hierarchies are not merged, and the error says which`() throws {
    let bench = try MigrationBench()
    let old = Schema(entities: [.init(name: "A"), .init(name: "B")])
    let new = Schema(entities: [
      .init(name: "Top"), .init(name: "A", parent: "Top"), .init(name: "B", parent: "Top"),
    ])
    try bench.fill(old) { _ in }
    let error = try #require(throws: StoreError.self) { try bench.open(new) }
    #expect(error.failures.count == 2)
    #expect(error.description.contains("merges hierarchies: A and B had no common parent before"))
  }

  @Test func `members of composite attributes follow theirs`() throws {
    func schema(_ place: String, _ members: [Schema.Attribute], _ before: String?) -> Schema {
      Schema(
        entities: [
          .init(
            name: "A",
            attributes: [
              .init(
                name: place, type: .composite, compositeName: "Place", isOptional: true,
                renamingIdentifier: before)
            ])
        ], composites: [.init(name: "Place", attributes: members)])
    }
    let bench = try MigrationBench()
    try bench.fill(schema("home", [text("street"), text("town")], nil)) { context in
      try insert(context, "A", ["home.street": "s", "home.town": "t"])
    }
    let new = schema("address", [text("road", "street"), text("zip")], "home")
    #expect(try bench.contents(new) == ["A 1: address.road=\"s\" address.zip=null"])
    let shapes = try bench.shapes(new)
    #expect(shapes.found == shapes.expected)
  }
}
