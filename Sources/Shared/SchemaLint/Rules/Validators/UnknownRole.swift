import DataModel

extension Rule {
  static let unknownRole = Rule(
    "unknown-role", .validator, .error,
    summary: "Every role that a grant names exists.",
    why: "the server refuses a grant to a role that it does not know",
    fix: "create the role with CREATE ROLE, or correct its name",
    check: writtenGrants { grant, _, schema in
      let isKnown = (RecordSchema.standardRoles + schema.roles).contains(grant.role)
      return isKnown ? nil : (nil, "grants rights to \(grant.role), a role that does not exist")
    })
}
