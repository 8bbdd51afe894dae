import DataModel

extension Rule {
  static let grantMissing = Rule(
    "grant-missing", .pitfall, .warning,
    summary: "Somebody may read, and somebody may create, the records of every type.",
    why: "in the public database nobody but the developer has a right that no grant gives",
    fix: "add grants, such as READ to \"_world\", CREATE to \"_icloud\" and WRITE to \"_creator\"",
    check: writtenTypes { type, _ in
      let given = type.grants.reduce(into: RecordSchema.Permissions()) {
        $0.formUnion($1.permissions)
      }
      // The server itself creates and names records of its own types.
      let needed: RecordSchema.Permissions = type.isSystem ? [.read] : [.read, .create]
      let lacking = RecordSchema.Permissions.named
        .filter { needed.contains($0.permission) && !given.contains($0.permission) }.map(\.name)
      guard !lacking.isEmpty else { return [] }
      return [
        Offence(
          .recordType(type.name), nil,
          "\(type.name) grants \(lacking.joined(separator: " and ")) to nobody")
      ]
    })
}
