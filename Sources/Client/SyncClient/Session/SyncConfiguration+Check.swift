import DataModel
public import ObjectStore
public import RecordWire

extension SyncConfiguration {
  /// Throws `UnsyncableSchema` for a store whose schema has parts that no record can hold.
  public func check(_ store: Store) throws {
    _ = try ObjectRecords(store.layout, profile)
  }

  /// Asks a server what it lacks of what a store writes.
  public func schemaCheck(of store: Store) throws -> SchemaCheckRequest {
    return SchemaCheckRequest(try ObjectRecords(store.layout, profile).mapping.schema)
  }
}

extension SchemaCheckRequest {
  /// Asks for all types and fields of a schema but those that every container has.
  init(_ schema: RecordSchema) {
    let types = schema.types.map { type in
      RecordType(
        type.name,
        fields: type.fields.filter { !$0.isSystem }.map { field in
          Field(
            field.name, type: field.type.rawValue + (field.isList ? "_LIST" : ""),
            isEncrypted: field.isEncrypted)
        })
    }
    self.init(types: types.filter { $0.name != RecordSchema.usersType.name })
  }
}
