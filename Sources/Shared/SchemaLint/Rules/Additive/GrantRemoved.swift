import DataModel

extension Rule {
  static let grantRemoved = Rule(
    "grant-removed", .additive, .error,
    summary: "A role may do what production lets it do.",
    why: "requests of apps of the promoted version are refused without the grant",
    fix: "put the permission back, or give it to a role that includes this one",
    check: recordFiles { pair in
      pair.statedGrants(of: pair.old).compactMap { grant in
        // `role-removed` speaks of a custom role that is gone with all its grants.
        guard !pair.removedRoles.contains(grant.role) else { return nil }
        let lost = grant.stated.subtracting(pair.new.permissions(of: grant.role, in: grant.type))
        return lost.isEmpty
          ? nil
          : Offence(
            .grant(type: grant.type, role: grant.role), nil,
            "\(grant.type) no longer grants \(lost.words) to \(grant.role)",
            place: .recordType(grant.type))
      }
    })
}
