import DataModel

extension Rule {
  static let roleRemoved = Rule(
    "role-removed", .additive, .error,
    summary: "A role that production has stays in the schema.",
    why: "users who hold the role lose what it granted them",
    fix: "put the role and its grants back",
    check: recordFiles { pair in
      pair.removedRoles.sorted().map { role in
        Offence(.role(role), nil, "role \(role) was removed", place: .schema)
      }
    })
}

extension LintPair {
  /// Custom roles that the new schema lacks.
  var removedRoles: Set<String> { Set(old.records.roles).subtracting(new.records.roles) }
}
