import DataModel
import JSONStream

/// The keys of a schema's records.
enum RecordRows {
  static let rows: [JSONRow<RecordSchema>] = [
    roles,
    .parts("types", \.types, name: \.name, make: { .init(name: $0) }, rows: type) {
      .recordType($1)
    },
  ]

  static let type: [JSONRow<RecordSchema.RecordType>] = [
    .parts(
      "fields", \.fields, name: \.name, make: { .init(name: $0, type: .string) }, rows: field
    ) { .field(type: $0.name, name: $1) },
    .parts("grants", \.grants, name: \.role, make: { .init(to: $0, []) }, rows: grant) {
      .grant(type: $0.name, role: $1)
    },
  ]

  static let field: [JSONRow<RecordSchema.Field>] =
    [
      .word("type", .type, \.type, unless: nil),
      JSONRow("preferred", .preferredNumber) { field in
        field.preferredNumber.map { JSONValue(.string($0.rawValue)) }
      } read: { (value, field, reading) throws(SchemaFormatError) in
        field.preferredNumber = try reading.word(value)
      },
      .flag("list", .isList, \.isList), .flag("encrypted", .isEncrypted, \.isEncrypted),
    ]
    + CKDBWords.indexes.map { .option($0.word.lowercased(), $0.aspect, $0.index, in: \.indexes) }

  static let grant: [JSONRow<RecordSchema.Grant>] = CKDBWords.permissions.map {
    .option($0.word.lowercased(), $0.aspect, $0.permission, in: \.permissions)
  }

  private static let roles = JSONRow<RecordSchema>("roles") { schema in
    JSONValue(strings: schema.roles).unless(schema.roles.isEmpty)
  } read: { (value, schema, reading) throws(SchemaFormatError) in
    var roles: Set<String> = []
    for element in try reading.elements(value) {
      let role = try reading.string(element)
      guard roles.insert(role).inserted else {
        throw reading.error(
          at: element, expected: "each role once", found: "\"\(role)\" a second time")
      }
      reading.note(.role(role), at: element)
    }
    schema.roles = Array(roles)
  }
}
