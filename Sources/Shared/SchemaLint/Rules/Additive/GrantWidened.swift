import DataModel

extension Rule {
  static let grantWidened = Rule(
    "grant-widened", .additive, .note,
    summary: "A role may do no more than production lets it do.",
    why: "older apps were written when nobody in that role could do this",
    fix: "check that the role is meant to do this, or take the permission out",
    check: recordFiles { pair in
      pair.statedGrants(of: pair.new).compactMap { grant in
        let given = grant.stated.subtracting(pair.old.permissions(of: grant.role, in: grant.type))
        return given.isEmpty
          ? nil
          : Offence(
            .grant(type: grant.type, role: grant.role), nil,
            "\(grant.type) newly grants \(given.words) to \(grant.role)")
      }
    })
}
