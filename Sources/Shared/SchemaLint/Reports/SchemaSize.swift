import DataModel
package import SchemaFormats

/// How much a schema holds, as the last line of a report says it.
package enum SchemaSize: Hashable, Sendable {
  /// Entities, and their own attributes, relationships and fetched properties.
  case objects(entities: Int, properties: Int)
  /// Record types, and their fields.
  case records(types: Int, fields: Int)

  package init(_ content: SchemaDocument.Content) {
    switch content {
    case .objects(let schema):
      self = .objects(
        entities: schema.entities.count,
        properties: schema.entities.reduce(0) {
          $0 + $1.attributes.count + $1.relationships.count + $1.fetchedProperties.count
        })
    case .records(let records):
      self = .records(
        types: records.types.count, fields: records.types.reduce(0) { $0 + $1.fields.count })
    }
  }

  /// `3 entities, 17 properties`.
  package var words: String {
    switch self {
    case .objects(let entities, let properties):
      "\(entities.of("entity", "entities")), \(properties.of("property", "properties"))"
    case .records(let types, let fields):
      "\(types.of("record type", "record types")), \(fields.of("field", "fields"))"
    }
  }
}

extension Int {
  /// The number with the noun in its right form: `1 entity`, `2 entities`.
  func of(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}
