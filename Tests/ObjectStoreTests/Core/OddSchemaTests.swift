import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct OddSchemaTests {
  static let oddNames = [
    "Name", "name", "NAME", "_id", "_ID", "_version", "_entity", "rowid", "oid", "_rowid_",
    "select",
    "order", "a b", "a\"b", "a'b", "a;b", "\u{1f600}", "\u{e9}", "sqlite_x", "contrail_y", "?1",
    "-- ",
    "to_order", "source", "target",
  ]

  @Test func `names may be anything, and differ by case alone`() throws {
    let attributes = Self.oddNames.map {
      Schema.Attribute(name: $0, type: .string, isOptional: true)
    }
    let names = [
      "Odd", "odd", "sqlite_odd", "contrail_store", "Odd \"quoted\"", "\u{1f600}", "SELECT",
    ]
    let schema = Schema(
      name: "Odd",
      entities: names.map { name in
        Schema.Entity(
          name: name, attributes: attributes,
          relationships: [
            Schema.Relationship(name: "to", destination: name, inverse: "From"),
            Schema.Relationship(
              name: "From", destination: name, inverse: "to", isToMany: true, isOrdered: true),
            Schema.Relationship(
              name: "many", destination: name, inverse: "ynam", isToMany: true, isOrdered: true),
            Schema.Relationship(name: "ynam", destination: name, inverse: "many", isToMany: true),
          ],
          indexes: [
            Schema.Index(name: "i", elements: [Schema.Index.Element("a\"b")]),
            Schema.Index(name: "I", elements: [Schema.Index.Element("name")]),
          ],
          uniquenessConstraints: [["Name"], ["name"]])
      } + [
        Schema.Entity(name: "Odd_to_objects"), Schema.Entity(name: "odd_MANY_target"),
        Schema.Entity(name: "Odd_many_2"), Schema.Entity(name: "Odd_i_index"),
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    for name in names {
      let (a, b) = (try context.insert(name), try context.insert(name))
      for (number, attribute) in Self.oddNames.enumerated() {
        try a.setValue(attribute, .string("\(name) \(number)"))
      }
      try b.setRelated("From", [b, a])
      try a.setRelated("many", [b, a])
      try context.save()
      let fresh = ModelContext(store)
      let a2 = try fresh.same(a)
      #expect(
        try Self.oddNames.map { try a2.value($0) }
          == Self.oddNames.indices.map { .string("\(name) \($0)") })
      #expect(try fresh.same(b).relatedObjects("From").map(\.identity) == [b.identity, a.identity])
      #expect(try a2.relatedObjects("many").map(\.identity) == [b.identity, a.identity])
      #expect(try a2.relatedObjects("ynam").map(\.identity) == [a.identity])
    }
    #expect(try store.replayedKeys() == store.storedKeys())
  }

  @Test(arguments: [0, 1, 63, 64, 65, 70, 128, 129, 140, 500])
  func `an entity may have any number of attributes`(count: Int) throws {
    let schema = Schema(
      name: "Wide",
      entities: [
        Schema.Entity(
          name: "Wide",
          attributes: (0..<count).map {
            Schema.Attribute(
              name: "a\($0)", type: $0 % 2 == 0 ? .integer64 : .string, isOptional: true)
          })
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    let object = try context.insert("Wide")
    func value(_ index: Int, _ round: Int) -> FieldValue {
      index % 2 == 0 ? .integer(Int64(index * 10 + round)) : .string("v\(index) \(round)")
    }
    for index in 0..<count { try object.setValue("a\(index)", value(index, 0)) }
    try context.save()
    for round in 1...3 {
      let wanted = (0..<count).filter { $0 % (round * 7) == 0 }
      for index in wanted { try object.setValue("a\(index)", value(index, round)) }
      #expect(Set(object.changedProperties) == Set(wanted.map { "a\($0)" }))
      try context.save()
      let fresh = ModelContext(store)
      let there = try fresh.same(object)
      for index in wanted { #expect(try there.value("a\(index)") == value(index, round)) }
    }
    #expect(try store.rows("SELECT count(*) FROM Wide") == [[.integer(1)]])
  }

  @Test func `composites nest, and transient attributes are not stored`() throws {
    let schema = Schema(
      name: "Nested",
      entities: [
        Schema.Entity(
          name: "House",
          attributes: [
            Schema.Attribute(name: "place", type: .composite, compositeName: "Place"),
            Schema.Attribute(name: "place_street", type: .string, isOptional: true),
            Schema.Attribute(
              name: "mood", type: .string, isOptional: true, defaultValue: .string("calm"),
              options: .transient),
          ])
      ],
      composites: [
        Schema.Composite(
          name: "Place",
          attributes: [
            Schema.Attribute(name: "street", type: .string, isOptional: true),
            Schema.Attribute(name: "point", type: .composite, compositeName: "Point"),
          ]),
        Schema.Composite(
          name: "Point",
          attributes: [Schema.Attribute(name: "x", type: .double, isOptional: true)]),
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    let house = try context.insert("House")
    try house.setValue("place.street", .string("Elm"))
    try house.setValue("place.point.x", .double(.nan))
    try house.setValue("place_street", .string("Oak"))
    try house.setValue("mood", .string("gay"))
    try context.save()
    let fresh = ModelContext(store)
    let there = try fresh.same(house)
    #expect(try there.value("place.street") == .string("Elm"))
    #expect(try there.value("place_street") == .string("Oak"))
    guard case .double(let x) = try there.value("place.point.x") else {
      return #expect(Bool(false))
    }
    #expect(x.isNaN)
    try there.setValue("mood", .string("blue"))
    try fresh.save()
    #expect(try store.rows("SELECT _version FROM House") == [[.integer(1)]])
  }
}
