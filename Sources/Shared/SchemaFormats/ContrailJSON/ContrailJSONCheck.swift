import DataModel

/// Finds what no Contrail JSON file can say: two parts of one name, and options that have no name.
struct ContrailJSONCheck {
  func check(_ schema: Schema) throws(UnwritableSchema) {
    try names(schema.entities.map(\.name)) { .entity($0) }
    try names(schema.composites.map(\.name)) { .composite($0) }
    try names(schema.configurations.map(\.name)) { .configuration($0) }
    try names(schema.fetchRequests.map(\.name)) { .fetchRequest($0) }
    for entity in schema.entities { try check(entity) }
    for composite in schema.composites {
      try check(composite.attributes) { .member(composite: composite.name, name: $0) }
    }
  }

  func check(_ schema: RecordSchema) throws(UnwritableSchema) {
    try names(schema.roles) { .role($0) }
    try names(schema.types.map(\.name)) { .recordType($0) }
    for type in schema.types {
      try names(type.fields.map(\.name)) { .field(type: type.name, name: $0) }
      try names(type.grants.map(\.role)) { .grant(type: type.name, role: $0) }
      for field in type.fields where field.indexes.rawValue >> 3 != 0 {
        throw refusal(of: .field(type: type.name, name: field.name), Self.namelessOption)
      }
      for grant in type.grants where grant.permissions.rawValue >> 3 != 0 {
        throw refusal(of: .grant(type: type.name, role: grant.role), Self.namelessOption)
      }
    }
  }

  private func check(_ entity: Schema.Entity) throws(UnwritableSchema) {
    try check(entity.attributes) { .attribute(entity: entity.name, name: $0) }
    try names(entity.relationships.map(\.name)) { .relationship(entity: entity.name, name: $0) }
    try names(entity.fetchedProperties.map(\.name)) {
      .fetchedProperty(entity: entity.name, name: $0)
    }
    try names(entity.indexes.map(\.name)) { .index(entity: entity.name, name: $0) }
  }

  private func check(
    _ attributes: [Schema.Attribute], _ element: (String) -> SchemaElement
  ) throws(UnwritableSchema) {
    try names(attributes.map(\.name), element)
    let known = PropertyRows.options.reduce(into: Schema.Attribute.Options()) {
      $0.formUnion($1.option)
    }
    for attribute in attributes {
      if !attribute.options.isSubset(of: known) {
        throw refusal(of: element(attribute.name), Self.namelessOption)
      }
      if let value = attribute.defaultValue, value.isDeeper(than: ContrailJSON.Limits.valueDepthMax)
      {
        throw refusal(
          of: element(attribute.name),
          "its default has more than \(ContrailJSON.Limits.valueDepthMax) values in each other")
      }
    }
  }

  private static let namelessOption = "it has an option that has no name"

  private func names(
    _ names: [String], _ element: (String) -> SchemaElement
  ) throws(UnwritableSchema) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw refusal(of: element(name), "there is another of the same name")
    }
  }

  private func refusal(of element: SchemaElement, _ reason: String) -> UnwritableSchema {
    UnwritableSchema(element: element, format: "JSON", reason: reason)
  }
}

extension FieldValue {
  /// Whether composites and lists stand in each other more than `depth` deep, this value included.
  fileprivate func isDeeper(than depth: Int) -> Bool {
    if depth == 0 { return true }
    return switch self {
    case .composite(let members): members.values.contains { $0.isDeeper(than: depth - 1) }
    case .list(let values): values.contains { $0.isDeeper(than: depth - 1) }
    default: false
    }
  }
}
