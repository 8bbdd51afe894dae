package import DataModel

extension RecordSchema {
  /// A random schema that a `.ckdb` file can hold, the same for the same seed.
  package static func random(seed: UInt64) -> RecordSchema {
    var generator = SeededGenerator(seed: seed)
    return random(using: &generator)
  }

  /// A random schema that a `.ckdb` file can hold.
  package static func random(using generator: inout SeededGenerator) -> RecordSchema {
    let roles = generator.distinct(upTo: 3, RandomNames.quotable)
    let names = generator.distinct(upTo: 6, RandomNames.quotable)
    return RecordSchema(
      roles: roles, types: names.map { randomType(named: $0, roles: roles, using: &generator) })
  }

  private static func randomType(
    named name: String, roles: [String], using generator: inout SeededGenerator
  ) -> RecordType {
    var fields = generator.distinct(upTo: 10, RandomNames.quotable)
      .filter { !$0.hasPrefix("___") }.map { randomField(named: $0, using: &generator) }
    // A type without members is no sentence of the language.
    if fields.isEmpty || generator.oneIn(2) { fields += RecordSchema.systemFields }
    let grants = generator.distinct(upTo: 3) {
      $0.pick(RecordSchema.standardRoles + roles, or: "_world")
    }
    return RecordType(
      name: name, fields: fields,
      grants: grants.map {
        Grant(to: $0, Permissions(rawValue: UInt8(1 + generator.below(7))))
      })
  }

  private static func randomField(
    named name: String, using generator: inout SeededGenerator
  ) -> Field {
    let type = generator.pick(FieldType.allCases, or: .string)
    let unencryptable: Set<FieldType> = [.asset, .reference, .number]
    return Field(
      name: name, type: type, isList: generator.oneIn(4),
      isEncrypted: !unencryptable.contains(type) && generator.oneIn(4),
      indexes: Indexes(rawValue: UInt8(generator.below(8))),
      preferredNumber: type == .number ? generator.pick([nil, .int64, .double], or: nil) : nil)
  }
}
