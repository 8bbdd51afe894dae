import DataModel
import SchemaGenerator

extension Schema {
  /// A random schema in which everything fits together, the same for the same seed.
  ///
  /// Parents exist, inverses are mutual, and defaults are of their attribute's type.
  static func consistent(using generator: inout SeededGenerator) -> Schema {
    let names = ["Airport", "Badge", "Flight", "Pilot", "Tag"].prefix(2 + generator.below(4))
    var entities = names.map { name in
      Entity(
        name: name,
        attributes: ["code", "count", "label", "moment"].map {
          .random(name: "\(name.lowercased())_\($0)", using: &generator)
        })
    }
    if entities.count > 2, generator.oneIn(2) {
      entities[1].parent = entities[0].name
      entities[0].isAbstract = generator.oneIn(2)
    }
    if generator.oneIn(2) { entities[0].versionField = "airport_count" }
    if generator.oneIn(2) { entities[0].naturalKey = ["airport_code"] }
    for number in 0..<generator.below(4) { join(&entities, number, using: &generator) }
    let composite = Composite(
      name: "Position",
      attributes: [Attribute(name: "latitude", type: .double, isOptional: true)])
    entities[0].attributes.append(
      Attribute(name: "place", type: .composite, compositeName: "Position", isOptional: true))
    return Schema(entities: entities, composites: [composite])
  }

  /// Adds two relationships that are each other's inverse.
  static func join(
    _ entities: inout [Entity], _ number: Int, using generator: inout SeededGenerator
  ) {
    let (near, far) = (generator.below(entities.count), generator.below(entities.count))
    let ends = ["near\(number)", "far\(number)"]
    entities[near].relationships.append(
      Relationship(
        name: ends[0], destination: entities[far].name, inverse: ends[1],
        isToMany: generator.oneIn(2)))
    entities[far].relationships.append(
      Relationship(
        name: ends[1], destination: entities[near].name, inverse: ends[0],
        isToMany: generator.oneIn(2)))
  }
}

extension Schema.Attribute {
  private static let samples: [(Schema.AttributeType, FieldValue)] = [
    (.string, .string("A")), (.integer64, .integer(1)), (.double, .double(1)),
    (.boolean, .boolean(true)),
  ]

  static func random(name: String, using generator: inout SeededGenerator) -> Schema.Attribute {
    let (type, value) = generator.pick(samples, or: (.string, .string("A")))
    let isOptional = generator.oneIn(2)
    return Schema.Attribute(
      name: name, type: name.hasSuffix("count") ? .integer64 : type, isOptional: isOptional,
      defaultValue: name.hasSuffix("count") ? .integer(1) : isOptional ? nil : value,
      options: generator.oneIn(6) ? .transient : [])
  }
}
