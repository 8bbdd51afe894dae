import DataModel

extension Rule {
  static let grantMissing = Rule(
    "grant-missing", .pitfall, .warning,
    summary: "Somebody may read the records of every type.",
    why: "in the public database only the developer has a right that no grant gives",
    fix: "add grants, such as READ to \"_world\", CREATE to \"_icloud\" and WRITE to \"_creator\"",
    check: writtenTypes { type, _ in
      guard !type.grants.contains(where: { $0.permissions.contains(.read) }) else { return [] }
      let message = type.grants.isEmpty ? "grants nothing to anyone" : "grants READ to nobody"
      return [Offence(.recordType(type.name), nil, "\(type.name) \(message)")]
    })
}
