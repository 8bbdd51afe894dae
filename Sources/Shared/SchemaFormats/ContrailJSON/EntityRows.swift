import DataModel
import JSONStream

/// The keys of an entity, its indexes and its fetched properties.
enum EntityRows {
  static let rows: [JSONRow<Schema.Entity>] = [
    .text("parent", .parent, \.parent), .flag("abstract", .isAbstract, \.isAbstract),
    .text("className", .className, \.className),
    .text("renamingIdentifier", .renamingIdentifier, \.renamingIdentifier),
    .text("hashModifier", .hashModifier, \.hashModifier),
    .text("versionField", .versionField, \.versionField),
    .names("naturalKey", .naturalKey, \.naturalKey),
    .text("searchDisplayName", .searchDisplayName, \.searchDisplayName),
    .parts(
      "attributes", \.attributes, name: \.name, make: { .init(name: $0, type: .undefined) },
      rows: PropertyRows.attribute
    ) { .attribute(entity: $0.name, name: $1) },
    .parts(
      "relationships", \.relationships, name: \.name,
      make: { .init(name: $0, destination: "", isOptional: false) },
      rows: PropertyRows.relationship
    ) { .relationship(entity: $0.name, name: $1) },
    .parts(
      "fetchedProperties", \.fetchedProperties, name: \.name,
      make: { .init(name: $0, request: .init(name: "", entity: "")) }, rows: fetchedProperty
    ) { .fetchedProperty(entity: $0.name, name: $1) },
    .parts(
      "indexes", \.indexes, name: \.name, make: { .init(name: $0, elements: []) }, rows: index
    ) { .index(entity: $0.name, name: $1) },
    uniqueness, .dictionary("userInfo", .userInfo, \.userInfo),
  ]

  static let fetchedProperty: [JSONRow<Schema.FetchedProperty>] = [
    .flag("optional", .isOptional, \.isOptional),
    .text("request", .fetchName, \.request.name),
    .text("entity", .fetchEntity, isRequired: true, \.request.entity),
    .text("predicate", .predicate, \.request.predicate),
  ]

  static let index: [JSONRow<Schema.Index>] = [
    JSONRow("elements", .indexElements) { index in
      let elements = index.elements.map { JSONRow.object(of: $0, by: indexElement) }
      return JSONValue(.array(elements)).unless(elements.isEmpty)
    } read: { (value, index, reading) throws(SchemaFormatError) in
      for element in try reading.elements(value) {
        var part = Schema.Index.Element("")
        try reading.fill(&part, from: element, rows: indexElement, element: nil)
        guard (element["property"] == nil) != (element["expression"] == nil) else {
          throw reading.error(
            at: element, expected: "one of property and expression",
            found: element["property"] == nil ? "neither" : "both")
        }
        index.elements.append(part)
      }
    },
    .text("predicate", .predicate, \.predicate),
  ]

  static let indexElement: [JSONRow<Schema.Index.Element>] = [
    subject("property", isExpression: false), subject("expression", isExpression: true),
    .word("arrangement", nil, \.arrangement, unless: .binary),
    JSONRow("descending") {
      JSONValue(true).unless($0.isAscending)
    } read: {
      (value, element, reading) throws(SchemaFormatError) in
      element.isAscending = try !reading.boolean(value)
    },
  ]

  /// What an index is over: the key tells which it is.
  private static func subject(_ key: String, isExpression: Bool) -> JSONRow<Schema.Index.Element> {
    JSONRow(key) { element in
      JSONValue(.string(element.subject)).unless(element.isExpression != isExpression)
    } read: { (value, element, reading) throws(SchemaFormatError) in
      element.subject = try reading.string(value)
      element.isExpression = isExpression
    }
  }

  /// Sets of names, each an array.
  private static let uniqueness = JSONRow<Schema.Entity>("uniqueness") { entity in
    let sets = entity.uniquenessConstraints.map { JSONValue(strings: $0) }
    return JSONValue(.array(sets)).unless(sets.isEmpty)
  } read: { (value, entity, reading) throws(SchemaFormatError) in
    var constraints: [[String]] = []
    for element in try reading.elements(value) {
      let properties = try reading.strings(element)
      constraints.append(properties)
      reading.note(.uniqueness(entity: entity.name, properties: properties), at: element)
    }
    entity.uniquenessConstraints = constraints
  }
}
