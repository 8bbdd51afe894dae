public import RecordWire

/// `schema/check`: whether types and fields that a client is about to save are there.
enum CheckSchema: ReadingOperation {
  static let path = "schema/check"

  static func answer(
    _ request: SchemaCheckRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> SchemaCheckResponse {
    let schema = try reading.schema().resolved
    return SchemaCheckResponse(version: schema.version, lacks: schema.lacks(request.types))
  }
}

extension ResolvedSchema {
  /// What the environment lacks of these types, in their order.
  public func lacks(_ types: [SchemaCheckRequest.RecordType]) -> [SchemaCheckResponse.Lack] {
    types.flatMap { asked -> [SchemaCheckResponse.Lack] in
      guard let type = type(asked.name) else {
        return [
          SchemaCheckResponse.Lack(
            recordType: asked.name, reason: "there is no record type '\(asked.name)'")
        ]
      }
      return asked.fields.compactMap { type.lack($0) }
    }
  }
}

extension ResolvedType {
  /// Why the field cannot be saved as it is asked for; nil where it can.
  fileprivate func lack(_ asked: SchemaCheckRequest.Field) -> SchemaCheckResponse.Lack? {
    guard let field = fields[asked.name] else {
      return SchemaCheckResponse.Lack(
        recordType: name, field: asked.name,
        reason: "the record type '\(name)' has no field '\(asked.name)'")
    }
    let wanted = WireValueType(asked)
    if let wanted, !field.isSystem, field.takes(wanted) { return nil }
    let has = field.shape.wireName
    let problem =
      field.isSystem ? "is the server's own" : "is \(has), not \(wanted?.wireName ?? asked.type)"
    return SchemaCheckResponse.Lack(
      recordType: name, field: asked.name, has: has,
      reason: "the field '\(asked.name)' of the record type '\(name)' \(problem)")
  }
}

extension WireValueType {
  /// What a client says that it will send; nil for a type that this server does not know.
  fileprivate init?(_ field: SchemaCheckRequest.Field) {
    guard let word = FieldTypeWord(field.type) else { return nil }
    self.init(
      .typed(word.type), isList: word.isList, isEncrypted: field.isEncrypted || word.isEncrypted)
  }
}
