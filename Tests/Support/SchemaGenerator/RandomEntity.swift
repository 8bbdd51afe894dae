import DataModel

extension Schema {
  static func randomEntity(
    named name: String, _ names: RandomSchemaNames, using generator: inout SeededGenerator
  ) -> Entity {
    let attributes = randomAttributes(names, using: &generator)
    let properties = attributes.map(\.name)
    return Entity(
      name: name,
      parent: generator.oneIn(4) ? generator.pick(names.entities, or: "None") : nil,
      isAbstract: generator.oneIn(5),
      className: generator.oneIn(4) ? RandomNames.plain(&generator) : nil,
      attributes: attributes, relationships: randomRelationships(names, using: &generator),
      fetchedProperties: generator.oneIn(4)
        ? generator.distinct(upTo: 2, RandomNames.plain).map { fetched in
          FetchedProperty(
            name: fetched, isOptional: generator.oneIn(2),
            request: randomFetch(
              named: RandomNames.text(&generator), names, using: &generator))
        } : [],
      indexes: generator.distinct(upTo: 2, RandomNames.plain).map {
        randomIndex(named: $0, over: properties, using: &generator)
      },
      uniquenessConstraints: generator.oneIn(3)
        ? generator.distinct(upTo: 2) {
          [$0.pick(properties, or: "x"), $0.pick(properties, or: "y")]
        }
        : [],
      renamingIdentifier: generator.oneIn(5) ? RandomNames.plain(&generator) : nil,
      hashModifier: generator.oneIn(5) ? RandomNames.text(&generator) : nil,
      versionField: generator.oneIn(4) ? generator.pick(properties, or: "version") : nil,
      naturalKey: generator.oneIn(4)
        ? generator.distinct(upTo: 2) { $0.pick(properties, or: "x") } : [],
      searchDisplayName: generator.oneIn(5) ? RandomNames.text(&generator) : nil,
      userInfo: randomUserInfo(using: &generator))
  }

  static func randomAttributes(
    _ names: RandomSchemaNames, using generator: inout SeededGenerator
  ) -> [Attribute] {
    generator.distinct(upTo: 6, RandomNames.plain).map {
      randomAttribute(named: $0, names, using: &generator)
    }
  }

  private static func randomAttribute(
    named name: String, _ names: RandomSchemaNames, using generator: inout SeededGenerator
  ) -> Attribute {
    let unknown = AttributeType(rawValue: "hologram")
    let type = generator.pick(AttributeType.known + [unknown], or: .string)
    return Attribute(
      name: name, type: type,
      compositeName: type == .composite ? generator.pick(names.composites, or: "None") : nil,
      isOptional: generator.oneIn(2),
      defaultValue: maybe(&generator) { FieldValue.random(like: type.valueKind, using: &$0) },
      options: generator.oneIn(3)
        ? Attribute.Options(rawValue: UInt16(generator.below(1 << Attribute.Options.named.count)))
        : [],
      renamingIdentifier: generator.oneIn(5) ? RandomNames.plain(&generator) : nil,
      hashModifier: generator.oneIn(5) ? RandomNames.text(&generator) : nil,
      transformerName: type == .transformable ? RandomNames.plain(&generator) : nil,
      valueClassName: generator.oneIn(6) ? RandomNames.plain(&generator) : nil,
      derivation: generator.oneIn(6) ? RandomNames.text(&generator) : nil,
      validation: generator.oneIn(4)
        ? .init(
          minimum: maybe(&generator, RandomNames.text),
          maximum: maybe(&generator, RandomNames.text),
          pattern: maybe(&generator, RandomNames.text)) : .init(),
      userInfo: randomUserInfo(using: &generator))
  }

  private static func randomRelationships(
    _ names: RandomSchemaNames, using generator: inout SeededGenerator
  ) -> [Relationship] {
    generator.distinct(upTo: 4, RandomNames.plain).map { name in
      Relationship(
        name: name, destination: generator.pick(names.entities, or: "None"),
        inverse: maybe(&generator, RandomNames.plain),
        inverseEntity: generator.oneIn(5) ? generator.pick(names.entities, or: "None") : nil,
        isToMany: generator.oneIn(2), isOrdered: generator.oneIn(4),
        isOptional: !generator.oneIn(3), isTransient: generator.oneIn(8),
        minimumCount: generator.oneIn(4) ? generator.below(5) : 0,
        maximumCount: generator.oneIn(4) ? generator.below(5) : nil,
        deleteRule: generator.pick(Relationship.DeleteRule.allCases, or: .nullify),
        renamingIdentifier: generator.oneIn(5) ? RandomNames.plain(&generator) : nil,
        hashModifier: generator.oneIn(5) ? RandomNames.text(&generator) : nil,
        userInfo: randomUserInfo(using: &generator))
    }
  }

  private static func randomIndex(
    named name: String, over properties: [String], using generator: inout SeededGenerator
  ) -> Index {
    Index(
      name: name,
      elements: (0..<generator.below(4)).map { _ in
        Index.Element(
          generator.pick(properties, or: "x"), isExpression: generator.oneIn(4),
          arrangement: generator.pick(Index.Arrangement.allCases, or: .binary),
          isAscending: generator.oneIn(2))
      }, predicate: generator.oneIn(4) ? RandomNames.text(&generator) : nil)
  }
}
