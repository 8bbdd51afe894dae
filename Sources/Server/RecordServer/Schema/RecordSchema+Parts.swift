package import DataModel

extension RecordSchema {
  /// The schema of a container that nobody has used yet.
  package static let empty = RecordSchema().completed

  /// The schema with what every container has: system fields on each type, and the type Users.
  ///
  /// What is there already stays as it is, with its indexes.
  package var completed: RecordSchema {
    var types = self.types
    if !types.contains(where: { $0.name == Self.usersType.name }) { types.append(Self.usersType) }
    return RecordSchema(
      roles: roles,
      types: types.map { type in
        type.adding(
          missing: type.name == Self.usersType.name ? Self.usersType.fields : Self.systemFields)
      })
  }

  /// Both schemas together: types, fields, indexes, roles and grants of either.
  ///
  /// Of a field that both have `newer` says the type; where it is promoted, the gate refuses that.
  package func merged(with newer: RecordSchema) -> RecordSchema {
    RecordSchema(
      roles: Array(Set(roles).union(newer.roles)),
      types: Self.union(types, newer.types, by: \.name) { $0.merged(with: $1) })
  }

  /// The parts of both lists; `combine` makes one of two with the same name.
  fileprivate static func union<Part>(
    _ old: [Part], _ new: [Part], by name: (Part) -> String, combine: (Part, Part) -> Part
  ) -> [Part] {
    let newer = Dictionary(new.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    let known = Set(old.map(name))
    return old.map { part in newer[name(part)].map { combine(part, $0) } ?? part }
      + new.filter { !known.contains(name($0)) }
  }
}

extension RecordSchema.RecordType {
  /// How many of its fields count for the limit.
  var countedFields: Int { fields.count { !$0.isSystem } }

  fileprivate func adding(missing fields: [RecordSchema.Field]) -> RecordSchema.RecordType {
    let known = Set(self.fields.map(\.name))
    let missing = fields.filter { !known.contains($0.name) }
    guard !missing.isEmpty else { return self }
    var copy = self
    copy.fields += missing
    return copy
  }

  fileprivate func merged(with newer: RecordSchema.RecordType) -> RecordSchema.RecordType {
    RecordSchema.RecordType(
      name: name,
      fields: RecordSchema.union(fields, newer.fields, by: \.name) { old, new in
        var field = new
        field.indexes.formUnion(old.indexes)
        return field
      },
      grants: RecordSchema.union(grants, newer.grants, by: \.role) { old, new in
        RecordSchema.Grant(to: old.role, old.permissions.union(new.permissions))
      })
  }
}

extension RecordSchema {
  /// Where the schema holds more than it may.
  var excesses: [SchemaRefusal] {
    var excesses: [SchemaRefusal] = []
    if types.count > SchemaLimits.typesMax {
      excesses.append(Self.excess(.schema, "record types", types.count, SchemaLimits.typesMax))
    }
    if roles.count > SchemaLimits.rolesMax {
      excesses.append(Self.excess(.schema, "roles", roles.count, SchemaLimits.rolesMax))
    }
    let bytes = bytesAtMost
    if bytes > SchemaLimits.schemaBytesMax {
      excesses.append(Self.excess(.schema, "bytes", bytes, SchemaLimits.schemaBytesMax))
    }
    return excesses
      + types.filter { $0.countedFields > SchemaLimits.fieldsMax }.map { type in
        Self.excess(
          .recordType(type.name), "fields", type.countedFields, SchemaLimits.fieldsMax)
      }
  }

  static func excess(
    _ subject: SchemaElement, _ parts: String, _ count: Int, _ limit: Int
  ) -> SchemaRefusal {
    SchemaRefusal(
      .tooMany, subject, "\(subject) would have \(count) \(parts), and \(limit) are allowed",
      fix: "leave some out")
  }
}

extension RecordSchema {
  /// No fewer bytes than the schema needs in either format.
  ///
  /// A name may be escaped byte by byte in JSON, and the schema language pads every name to the
  /// longest of its type. The other numbers are more than the words of both formats need.
  private var bytesAtMost: Int {
    let roleBytes = roles.reduce(0) { $0 + 2 * $1.utf8.count + 32 }
    return types.reduce(roleBytes) { bytes, type in
      let longest = type.fields.reduce(0) { max($0, $1.name.utf8.count) }
      let grantBytes = type.grants.reduce(0) { $0 + 2 * $1.role.utf8.count + 96 }
      return bytes + 2 * type.name.utf8.count + 96 + type.fields.count * (2 * longest + 160)
        + grantBytes
    }
  }
}
