import DataModel
import SchemaGenerator

/// One thing that a person may do to a schema in one edit.
struct Mutation: Sendable, CustomStringConvertible {
  let description: String
  private let apply: @Sendable (inout Schema, inout SeededGenerator) -> Void

  init(_ name: String, _ apply: @escaping @Sendable (inout Schema, inout SeededGenerator) -> Void) {
    description = name
    self.apply = apply
  }

  func applied(to schema: Schema, using generator: inout SeededGenerator) -> Schema {
    var copy = schema
    apply(&copy, &generator)
    return copy
  }

  static let all: [Mutation] = attributes + values + relationships + entities
}

extension Mutation {
  private static func attribute(
    _ name: String, _ change: @escaping @Sendable (inout Schema.Attribute) -> Void
  ) -> Mutation {
    Mutation(name) { schema, generator in
      let entity = generator.below(schema.entities.count)
      let count = schema.entities[entity].attributes.count
      change(&schema.entities[entity].attributes[generator.below(count)])
    }
  }

  private static let attributes: [Mutation] = [
    Mutation("remove an attribute") { schema, generator in
      let entity = generator.below(schema.entities.count)
      let count = schema.entities[entity].attributes.count
      let name = schema.entities[entity].attributes.remove(at: generator.below(count)).name
      schema.entities[entity].naturalKey.removeAll { $0 == name }
      if schema.entities[entity].versionField == name { schema.entities[entity].versionField = nil }
    },
    Mutation("add an optional attribute") { schema, generator in
      schema.entities[generator.below(schema.entities.count)].attributes
        .append(.init(name: "added", type: .string, isOptional: true))
    },
    Mutation("add a required attribute") { schema, generator in
      schema.entities[generator.below(schema.entities.count)].attributes
        .append(.init(name: "added", type: .string, defaultValue: .string("")))
    },
    Mutation("rename an attribute") { schema, generator in
      let entity = generator.below(schema.entities.count)
      let index = generator.below(schema.entities[entity].attributes.count)
      let name = schema.entities[entity].attributes[index].name
      schema.entities[entity].attributes[index].renamingIdentifier = name
      schema.entities[entity].attributes[index].name = "renamed"
      schema.entities[entity].naturalKey = schema.entities[entity].naturalKey
        .map { $0 == name ? "renamed" : $0 }
      if schema.entities[entity].versionField == name {
        schema.entities[entity].versionField = "renamed"
      }
    },
    Mutation("remove a member of a composite type") { schema, _ in
      schema.composites = schema.composites.map { .init(name: $0.name, attributes: []) }
    },
  ]

  private static let values: [Mutation] = [
    attribute("change a type") {
      $0.type = $0.type == .date ? .uuid : .date
      $0.defaultValue = nil
    },
    attribute("change a type within the same field") { attribute in
      guard attribute.type == .string else { return }
      attribute.type = .uuid
      attribute.defaultValue = nil
    },
    attribute("toggle optional") { $0.isOptional.toggle() },
    attribute("toggle transient") { $0.options.formSymmetricDifference(.transient) },
    attribute("toggle encrypted") { $0.options.formSymmetricDifference(.encrypted) },
    attribute("toggle external storage") {
      $0.options.formSymmetricDifference(.externalStorage)
    },
    attribute("change a default") { $0.defaultValue = .integer(7) },
    attribute("tighten limits") {
      $0.validation = .init(minimum: "1", maximum: "2", pattern: "x")
    },
    attribute("name a transformer") { $0.transformerName = "PaintTransformer" },
    attribute("derive") { $0.derivation = "now()" },
    attribute("annotate") { $0.userInfo = ["note": "x"] },
  ]
}

extension Mutation {
  private static func relationship(
    _ name: String, _ change: @escaping @Sendable (inout Schema.Relationship) -> Void
  ) -> Mutation {
    Mutation(name) { schema, generator in
      let owners = schema.entities.indices.filter { !schema.entities[$0].relationships.isEmpty }
      guard let entity = owners.isEmpty ? nil : owners[generator.below(owners.count)] else {
        return
      }
      let count = schema.entities[entity].relationships.count
      change(&schema.entities[entity].relationships[generator.below(count)])
    }
  }

  private static let relationships: [Mutation] = [
    Mutation("remove a relationship with its inverse") { schema, _ in
      for index in schema.entities.indices {
        schema.entities[index].relationships.removeAll { $0.name.hasSuffix("0") }
      }
    },
    Mutation("add a relationship with its inverse") { schema, generator in
      Schema.join(&schema.entities, 9, using: &generator)
    },
    relationship("change a cardinality") {
      $0.isToMany.toggle()
      $0.maximumCount = $0.isToMany ? 0 : 1
    },
    relationship("delete along") { $0.deleteRule = .cascade },
    relationship("toggle optional at a relationship") { $0.isOptional.toggle() },
    relationship("order") { $0.isOrdered = $0.isToMany },
    relationship("raise a minimum") { $0.minimumCount = $0.isToMany ? 2 : 0 },
    relationship("lower a maximum") { $0.maximumCount = $0.isToMany ? 5 : 1 },
    relationship("make transient") { $0.isTransient = true },
  ]

  private static let entities: [Mutation] = [
    Mutation("add an entity") { schema, _ in
      schema.entities.append(.init(name: "Zone", attributes: [.init(name: "a", type: .string)]))
    },
    Mutation("remove an entity and what leads to it") { schema, _ in
      let name = schema.entities.removeLast().name
      for index in schema.entities.indices {
        schema.entities[index].relationships.removeAll { $0.destination == name }
      }
    },
    Mutation("rename an entity") { schema, _ in
      let name = schema.entities[0].name
      schema.entities = schema.entities.map { entity in
        var entity = entity
        if entity.name == name {
          entity.name = "Renamed"
          entity.renamingIdentifier = name
        }
        if entity.parent == name { entity.parent = "Renamed" }
        for index in entity.relationships.indices
        where entity.relationships[index].destination == name {
          entity.relationships[index].destination = "Renamed"
        }
        return entity
      }
    },
    Mutation("make an entity abstract") { schema, _ in schema.entities[0].isAbstract = true },
    Mutation("give an entity a parent") { schema, _ in
      schema.entities[schema.entities.count - 1].parent = "Above"
      schema.entities.append(.init(name: "Above", isAbstract: true))
    },
    Mutation("drop the version field") { schema, _ in schema.entities[0].versionField = nil },
    Mutation("change the natural key") { schema, _ in
      schema.entities[0].naturalKey = ["airport_label"]
    },
    Mutation("make unique") { schema, _ in
      schema.entities[0].uniquenessConstraints = [["airport_code"]]
    },
  ]
}
