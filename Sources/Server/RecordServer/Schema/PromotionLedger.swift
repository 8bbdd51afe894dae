package import DataModel

/// Everything that was ever promoted: types, and fields with what of them is fixed for ever.
///
/// It only grows. It says nothing that production does not say too, so that each proves the other:
/// a schema that lost something, by whatever mistake, is found out when it is read.
package struct PromotionLedger: Hashable, Sendable {
  /// The shapes of fields, by type and name.
  package private(set) var types: [String: [String: FieldShape]]

  /// The ledger of a production that holds `schema`.
  package init(_ schema: RecordSchema) {
    types = [:]
    add(schema)
  }

  package init(types: [String: [String: FieldShape]]) { self.types = types }

  /// Adds what `schema` has; what is there already stays as it is.
  package mutating func add(_ schema: RecordSchema) {
    for type in schema.types {
      let shapes = type.fields.map { ($0.name, $0.shape) }
      types[type.name, default: [:]].merge(shapes) { known, _ in known }
    }
  }

  /// What of the ledger `schema` lacks, or has with another shape; in the order of names.
  package func breaches(by schema: RecordSchema) -> [SchemaRefusal] {
    let present = Dictionary(
      schema.types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return types.sorted { $0.key.precedesInBytes($1.key) }.flatMap { name, fields in
      guard let type = present[name] else { return [Self.refusal(ofMissing: name)] }
      return Self.breaches(by: type, of: fields)
    }
  }

  private static func breaches(
    by type: RecordSchema.RecordType, of fields: [String: FieldShape]
  ) -> [SchemaRefusal] {
    let present = Dictionary(
      type.fields.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
    return fields.sorted { $0.key.precedesInBytes($1.key) }.compactMap { name, shape in
      present[name] == shape ? nil : refusal(of: name, in: type.name, shape, now: present[name])
    }
  }

  private static func refusal(ofMissing type: String) -> SchemaRefusal {
    SchemaRefusal(
      .promoted, .recordType(type), "\(type) was promoted, and would be removed",
      fix: "put the record type back, even if new code leaves it alone")
  }

  private static func refusal(
    of field: String, in type: String, _ shape: FieldShape, now: FieldShape?
  ) -> SchemaRefusal {
    SchemaRefusal(
      .promoted, .field(type: type, name: field),
      "\(type).\(field) was promoted as \(shape), and would be "
        + (now.map { "\($0)" } ?? "removed"),
      fix: "put the field back as \(shape); new values need a field of another name")
  }
}
