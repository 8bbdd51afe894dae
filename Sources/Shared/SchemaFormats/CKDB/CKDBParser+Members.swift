import DataModel

/// The fields and grants of one record type while it is read.
struct CKDBMembers {
  /// What one role was granted so far, and where.
  struct Grant {
    var role: String
    var permissions: RecordSchema.Permissions
    var position: SourcePosition
    var aspects: [(aspect: Aspect, position: SourcePosition)]
  }

  let type: String
  private(set) var fields: [RecordSchema.Field] = []
  private(set) var grants: [Grant] = []
  private var fieldNames: Set<String> = []
  private var grantIndexes: [String: Int] = [:]

  init(type: String) { self.type = type }

  /// Whether no earlier field has the name.
  mutating func claim(_ name: String) -> Bool { fieldNames.insert(name).inserted }

  mutating func add(_ field: RecordSchema.Field) { fields.append(field) }

  /// Adds permissions to those that the role has from earlier grants.
  mutating func add(_ grant: Grant) {
    if let index = grantIndexes[grant.role] {
      grants[index].permissions.formUnion(grant.permissions)
      grants[index].aspects += grant.aspects
    } else {
      grantIndexes[grant.role] = grants.count
      grants.append(grant)
    }
  }

  var recordType: RecordSchema.RecordType {
    RecordSchema.RecordType(
      name: type, fields: fields,
      grants: grants.map { RecordSchema.Grant(to: $0.role, $0.permissions) })
  }
}

extension CKDBParser {
  mutating func parseMember(into members: inout CKDBMembers) throws(SchemaFormatError) {
    let position = token.position
    if try takeIf("GRANT") {
      try parseGrant(at: position, into: &members)
    } else {
      try parseField(into: &members)
    }
  }

  private mutating func parseGrant(
    at position: SourcePosition, into members: inout CKDBMembers
  ) throws(SchemaFormatError) {
    var grant = CKDBMembers.Grant(role: "", permissions: [], position: position, aspects: [])
    // The comma that separates members separates permissions too: the role ends the list.
    repeat {
      guard let row = CKDBWords.permissions.first(where: { $0.word == token.keyword }) else {
        throw unexpected(expected: CKDBWords.choice(CKDBWords.permissions.map(\.word)))
      }
      grant.permissions.formUnion(row.permission)
      grant.aspects.append((row.aspect, token.position))
      try advance()
    } while try takeIf(sign: ",")
    try take("TO", orExpect: "',' or TO after the permission")
    grant.role = try takeName(of: "a role's name").name
    members.add(grant)
  }

  private mutating func parseField(into members: inout CKDBMembers) throws(SchemaFormatError) {
    let (name, position) = try takeName(of: "a field or GRANT")
    guard members.claim(name) else {
      throw error(at: position, expected: "each field once", found: "a second field \(name)")
    }
    var field = RecordSchema.Field(name: name, type: .string)
    var aspects: [(aspect: Aspect, position: SourcePosition)] = []
    try parseType(of: &field, noting: &aspects)
    try parseIndexes(of: &field, noting: &aspects)
    members.add(field)
    sources.record(.field(type: members.type, name: name), at: position, aspects: aspects)
  }

  private mutating func parseType(
    of field: inout RecordSchema.Field,
    noting aspects: inout [(aspect: Aspect, position: SourcePosition)]
  ) throws(SchemaFormatError) {
    let position = token.position
    guard try takeIf("LIST") else { return try parseElement(of: &field, noting: &aspects) }
    field.isList = true
    aspects.append((.isList, position))
    try take("<", orExpect: "'<' after LIST")
    try parseElement(of: &field, noting: &aspects)
    try take(">", orExpect: "'>' after the type of the list's elements")
  }

  private mutating func parseElement(
    of field: inout RecordSchema.Field,
    noting aspects: inout [(aspect: Aspect, position: SourcePosition)]
  ) throws(SchemaFormatError) {
    let position = token.position
    if try takeIf("ENCRYPTED") {
      field.isEncrypted = true
      aspects.append((.isEncrypted, position))
    }
    aspects.append((.type, token.position))
    field.type = try takeType(
      among: field.isEncrypted ? CKDBWords.encryptable : nil,
      orExpect: field.isEncrypted
        ? CKDBWords.choice(CKDBWords.encryptable.map(\.rawValue)) + " after ENCRYPTED"
        : "the type of the field \(field.name)")
    let preference = token.position
    guard field.type == .number, try takeIf("PREFERRED") else { return }
    try take("AS", orExpect: "AS after PREFERRED")
    aspects.append((.preferredNumber, preference))
    field.preferredNumber = try takeType(
      among: CKDBWords.preferable,
      orExpect: CKDBWords.choice(CKDBWords.preferable.map(\.rawValue)) + " after PREFERRED AS")
  }

  private mutating func takeType(
    among allowed: [RecordSchema.FieldType]?, orExpect expected: String
  ) throws(SchemaFormatError) -> RecordSchema.FieldType {
    guard let type = token.keyword.flatMap({ CKDBWords.fieldTypes[$0] }),
      allowed?.contains(type) != false
    else { throw unexpected(expected: expected) }
    try advance()
    return type
  }

  private mutating func parseIndexes(
    of field: inout RecordSchema.Field,
    noting aspects: inout [(aspect: Aspect, position: SourcePosition)]
  ) throws(SchemaFormatError) {
    while let row = CKDBWords.indexes.first(where: { $0.word == token.keyword }) {
      field.indexes.formUnion(row.index)
      aspects.append((row.aspect, token.position))
      try advance()
    }
  }
}
