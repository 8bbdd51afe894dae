package import DataModel

extension LintSubject {
  /// What a holder of `role` may do with records of `type`: permissions add up over the roles that a
  /// caller has, everyone is in `_world`, and whoever holds another role is signed in.
  package func permissions(of role: String, in type: String) -> RecordSchema.Permissions {
    let included: [String: [String]] = ["_world": [], "_icloud": ["_world"]]
    let roles = [role] + (included[role] ?? ["_icloud", "_world"])
    return roles.reduce(into: []) { permissions, role in
      permissions.formUnion(records.type(type)?.grant(to: role)?.permissions ?? [])
    }
  }
}

extension LintPair {
  /// The grants that one side states, of types that both sides have.
  package func statedGrants(
    of side: LintSubject
  ) -> [(type: String, role: String, stated: RecordSchema.Permissions)] {
    side.records.types
      .filter { old.records.type($0.name) != nil && new.records.type($0.name) != nil }
      .flatMap { type in type.grants.map { (type.name, $0.role, $0.permissions) } }
  }
}

extension RecordSchema.Permissions {
  /// The permissions' words, joined.
  package var words: String {
    Self.named.filter { contains($0.permission) }.map(\.name).joined(separator: ", ")
  }
}
