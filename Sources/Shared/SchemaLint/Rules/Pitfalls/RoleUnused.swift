import DataModel

extension Rule {
  static let roleUnused = Rule(
    "role-unused", .pitfall, .note,
    summary: "Every role of the schema's own has a grant.",
    why: "giving a user the role changes nothing",
    fix: "grant it something, or remove the role",
    check: { pass in
      let schema = pass.subject.records
      let granted = Set(schema.types.flatMap(\.grants).map(\.role))
      return schema.roles.filter { !granted.contains($0) }.map {
        Offence(.role($0), nil, "role \($0) has no grant")
      }
    })
}
