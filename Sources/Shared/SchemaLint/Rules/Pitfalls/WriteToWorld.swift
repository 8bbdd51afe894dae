import DataModel

extension Rule {
  static let writeToWorld = Rule(
    "write-to-world", .pitfall, .error,
    summary: "Nobody writes without an account.",
    why: "whoever has the app can create or change records, and nobody can tell who it was",
    fix: "grant CREATE to \"_icloud\" and WRITE to \"_creator\" instead",
    check: writtenGrants { grant, _, _ in
      guard grant.role == "_world", !grant.permissions.isDisjoint(with: [.create, .write]) else {
        return nil
      }
      let aspect: Aspect = grant.permissions.contains(.write) ? .write : .create
      return (aspect, "lets anyone \(aspect.rawValue) records, even without an account")
    })
}
