package import DataModel

extension Schema {
  /// A random schema, the same for the same seed.
  ///
  /// Names come from so few that parents, inverses and renaming identifiers often meet; just as often
  /// they lead nowhere, as in a model that someone is editing.
  package static func random(seed: UInt64) -> Schema {
    var generator = SeededGenerator(seed: seed)
    return random(using: &generator)
  }

  /// A random schema.
  package static func random(using generator: inout SeededGenerator) -> Schema {
    let entities = generator.distinct(upTo: 6, RandomNames.plain)
    let composites = generator.distinct(upTo: 2, RandomNames.plain)
    let names = RandomSchemaNames(entities: entities, composites: composites)
    return Schema(
      name: maybe(&generator, RandomNames.text) ?? "",
      versionIdentifier: maybe(&generator, RandomNames.text) ?? "",
      isUsedWithCloudKit: generator.oneIn(2),
      entities: entities.map { randomEntity(named: $0, names, using: &generator) },
      composites: composites.map { name in
        Composite(name: name, attributes: randomAttributes(names, using: &generator))
      },
      configurations: generator.distinct(upTo: 2, RandomNames.plain).map { name in
        Configuration(
          name: name, entities: generator.distinct(upTo: 3) { $0.pick(entities, or: "None") },
          isUsedWithCloudKit: generator.oneIn(2))
      },
      fetchRequests: generator.distinct(upTo: 2, RandomNames.text).map {
        randomFetch(named: $0, names, using: &generator)
      })
  }

  /// Something, half of the time.
  static func maybe<Value>(
    _ generator: inout SeededGenerator, _ make: (inout SeededGenerator) -> Value
  ) -> Value? {
    generator.oneIn(2) ? make(&generator) : nil
  }

  static func randomFetch(
    named name: String, _ names: RandomSchemaNames, using generator: inout SeededGenerator
  ) -> FetchRequest {
    FetchRequest(
      name: name, entity: generator.pick(names.entities, or: "None"),
      predicate: maybe(&generator, RandomNames.text))
  }

  static func randomUserInfo(using generator: inout SeededGenerator) -> [String: String] {
    guard generator.oneIn(5) else { return [:] }
    let keys = generator.distinct(upTo: 3, RandomNames.text)
    return Dictionary(
      keys.map { ($0, RandomNames.text(&generator)) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The names that parts of a random schema refer to.
struct RandomSchemaNames {
  var entities: [String]
  var composites: [String]
}
