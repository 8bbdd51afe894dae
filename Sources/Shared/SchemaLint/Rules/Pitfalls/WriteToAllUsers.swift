import DataModel

extension Rule {
  static let writeToAllUsers = Rule(
    "write-to-all-users", .pitfall, .warning,
    summary: "Users write their own records only.",
    why: "in the public database any user can change or delete what others made",
    fix: "grant WRITE to \"_creator\", or to a role of your own for those who may",
    check: writtenGrants { grant, _, _ in
      grant.role == "_icloud" && grant.permissions.contains(.write)
        ? (.write, "lets every user change and delete everyone's records") : nil
    })
}
