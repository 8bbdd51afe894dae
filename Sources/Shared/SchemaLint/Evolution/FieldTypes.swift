import DataModel

extension RecordMapping {
  /// The types of the fields that hold each attribute's values, asset twins left out.
  ///
  /// Read from the entities rather than from the fields' origins: entities that share a record type
  /// may share a field, which is traced to the first of them only.
  func fieldTypes(of schema: Schema) -> [SchemaElement: Set<RecordSchema.FieldType>] {
    var types: [SchemaElement: Set<RecordSchema.FieldType>] = [:]
    for entity in schema.entities {
      guard let mapped = self.entity(entity.name) else { continue }
      for attribute in schema.declaredAttributes(of: entity) {
        guard let property = mapped.properties[attribute.name] else { continue }
        types[.attribute(entity: attribute.entity, name: attribute.name), default: []]
          .formUnion(property.fieldTypes)
      }
    }
    return types
  }
}

extension MappedProperty {
  fileprivate var fieldTypes: Set<RecordSchema.FieldType> {
    switch self {
    case .attribute(let field): [field.type]
    case .composite(let members): members.values.reduce(into: []) { $0.formUnion($1.fieldTypes) }
    case .toOne, .children, .edges: []
    }
  }
}
