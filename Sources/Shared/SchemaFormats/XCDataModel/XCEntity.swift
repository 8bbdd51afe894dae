import DataModel

/// An `<entity>` while it is being read.
struct XCEntity {
  var entity: Schema.Entity
  // Kept apart from the entity, which would sort them anew with every one.
  private var attributes: [Schema.Attribute] = []
  private var relationships: [Schema.Relationship] = []
  private var fetchedProperties: [Schema.FetchedProperty] = []
  private var indexes: [Schema.Index] = []
  private var uniquenessConstraints: [[String]] = []
  private var indexedAttributes: [(name: String, position: SourcePosition)] = []
  private var propertyNames = XCNames()
  private var indexNames = XCNames()
  private var extraAspects: XCReading.Aspects = []

  /// Reads the entity and records the places of its parts.
  static func read(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) -> Schema.Entity {
    let name = try reading.required("name", of: element, "an entity")
    var part = XCEntity(entity: Schema.Entity(name: name))
    let aspects = try reading.fill(&part, from: element, by: rule)
    part.finish(in: &reading)
    reading.sources.record(
      .entity(name), at: element.position, aspects: aspects + part.extraAspects)
    return part.entity
  }

  private init(entity: Schema.Entity) { self.entity = entity }

  private mutating func finish(in reading: inout XCReading) {
    addLegacyIndexes(in: &reading)
    entity.attributes = attributes
    entity.relationships = relationships
    entity.fetchedProperties = fetchedProperties
    entity.indexes = indexes
    entity.uniquenessConstraints = uniquenessConstraints
    if entity.renamingIdentifier == entity.name { entity.renamingIdentifier = nil }
    if entity.className == entity.name { entity.className = nil }
  }

  /// An index that the file spells out wins over one that an attribute's old flag asks for.
  private mutating func addLegacyIndexes(in reading: inout XCReading) {
    var names = Set(indexes.map(\.name))
    for (attribute, position) in indexedAttributes {
      let index = XCIndex.legacy(attribute)
      guard names.insert(index.name).inserted else { continue }
      indexes.append(index)
      reading.sources.record(.index(entity: entity.name, name: index.name), at: position)
    }
  }
}

extension XCEntity {
  mutating func addAttribute(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let (part, aspects) = try XCAttribute.read(element, of: entity.name, in: &reading)
    let name = part.attribute.name
    try propertyNames.take(name, of: element, "in \(entity.name)", in: reading)
    attributes.append(part.attribute)
    if part.isIndexed {
      let place = element.attribute("indexed")?.namePosition ?? element.position
      indexedAttributes.append((name, place))
    }
    reading.sources.record(
      .attribute(entity: entity.name, name: name), at: element.position, aspects: aspects)
  }

  mutating func addRelationship(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let (part, aspects) = try XCRelationship.read(element, of: entity.name, in: &reading)
    try propertyNames.take(part.name, of: element, "in \(entity.name)", in: reading)
    relationships.append(part)
    reading.sources.record(
      .relationship(entity: entity.name, name: part.name), at: element.position, aspects: aspects)
  }

  mutating func addFetchedProperty(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let (part, aspects) = try XCFetchedProperty.read(element, of: entity.name, in: &reading)
    try propertyNames.take(part.name, of: element, "in \(entity.name)", in: reading)
    fetchedProperties.append(part)
    reading.sources.record(
      .fetchedProperty(entity: entity.name, name: part.name), at: element.position,
      aspects: aspects)
  }

  mutating func addIndex(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let (part, aspects) = try XCIndex.read(element, of: entity.name, in: &reading)
    try indexNames.take(part.name, of: element, "among the indexes of \(entity.name)", in: reading)
    indexes.append(part)
    reading.sources.record(
      .index(entity: entity.name, name: part.name), at: element.position, aspects: aspects)
  }

  /// Takes over annotations; two of them say what the format has no other place for.
  mutating func addUserInfo(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    var info = try XCUserInfo.read(element, in: &reading)
    for row in Self.annotations {
      guard let text = info.removeValue(forKey: row.key) else { continue }
      row.set(&entity, text)
      let entry = element.children.last { $0.attribute("key")?.value == row.key }
      extraAspects.append((row.aspect, entry?.position ?? element.position))
    }
    entity.userInfo = info
  }

  /// User info by which a model tells what only Contrail knows.
  private static let annotations: [Annotation] = [
    Annotation(key: "contrail.versionField", aspect: .versionField) {
      $0.versionField = XCValue.given($1)
    },
    Annotation(key: "contrail.naturalKey", aspect: .naturalKey) {
      $0.naturalKey = XCValue.names($1)
    },
  ]

  private struct Annotation: Sendable {
    var key: String
    var aspect: Aspect
    var set: @Sendable (inout Schema.Entity, String) -> Void
  }
}

extension XCEntity {
  /// What `<entity>` may say.
  static let rule = XCRule<XCEntity>(
    attributes: [
      "name": .text(.name) { _, _ in },
      "representedClassName": .text(.className) { $0.entity.className = XCValue.className($1) },
      "parentEntity": .text(.parent) { $0.entity.parent = XCValue.given($1) },
      "isAbstract": .flag(.isAbstract) { $0.entity.isAbstract = $1 },
      "elementID": .text(.renamingIdentifier) { $0.entity.renamingIdentifier = XCValue.given($1) },
      "renamingIdentifier": .text(.renamingIdentifier) {
        $0.entity.renamingIdentifier = XCValue.given($1)
      },
      "versionHashModifier": .text(.hashModifier) { $0.entity.hashModifier = XCValue.given($1) },
      "coreSpotlightDisplayNameExpression": .text(.searchDisplayName) {
        $0.entity.searchDisplayName = XCValue.given($1)
      },
      "codeGenerationType": .ofNoConsequence, "syncable": .ofNoConsequence,
    ],
    children: [
      "attribute": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addAttribute(element, in: &reading)
      },
      "relationship": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addRelationship(element, in: &reading)
      },
      "fetchedProperty": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addFetchedProperty(element, in: &reading)
      },
      "fetchIndex": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addIndex(element, in: &reading)
      },
      "uniquenessConstraints": .element { (part, element, reading) throws(SchemaFormatError) in
        part.uniquenessConstraints += try XCUniqueness.read(
          element, of: part.entity.name, in: &reading)
      },
      "userInfo": .element(.userInfo) { (part, element, reading) throws(SchemaFormatError) in
        try part.addUserInfo(element, in: &reading)
      },
    ])
}
