import DataModel
import RecordServer
import SchemaGenerator
import Testing

/// Who asks, and whether the record is their own.
private enum Asker: String, CaseIterable {
  case anyone, user, creator, editor

  var caller: RecordCaller {
    switch self {
    case .anyone: .anyone
    case .user, .creator: RecordCaller(user: "_u")
    case .editor: RecordCaller(user: "_u", roles: ["editor", "unknown"])
    }
  }

  var creator: String { self == .creator ? "_u" : "_other" }
}

@Suite struct `Rights in the public database` {
  private typealias Grant = RecordSchema.Grant
  private typealias Permissions = RecordSchema.Permissions

  struct Row: CustomTestStringConvertible {
    var grants: [RecordSchema.Grant]
    /// What each asker may do, in the order of `Asker`.
    var rights: [RecordSchema.Permissions]

    var testDescription: String {
      grants.map { "\($0.permissions.rawValue) to \($0.role)" }.joined(separator: ", ")
    }
  }

  @Test(arguments: [
    Row(grants: [], rights: [[], [], [], []]),
    Row(grants: [Grant(to: "_world", .read)], rights: [.read, .read, .read, .read]),
    Row(grants: [Grant(to: "_icloud", .create)], rights: [[], .create, .create, .create]),
    Row(grants: [Grant(to: "_creator", .write)], rights: [[], [], .write, []]),
    Row(grants: [Grant(to: "editor", .write)], rights: [[], [], [], .write]),
    Row(
      grants: RecordSchema.defaultGrants,
      rights: [.read, [.read, .create], [.read, .create, .write], [.read, .create]]),
    Row(
      grants: [Grant(to: "_creator", [.read, .write]), Grant(to: "_icloud", .create)],
      rights: [[], .create, [.read, .create, .write], .create]),
    Row(
      grants: [
        Grant(to: "_world", .read), Grant(to: "editor", .write), Grant(to: "admin", .create),
      ],
      rights: [.read, .read, .read, [.read, .write]]),
  ])
  func `add up over the caller's roles`(row: Row) {
    let schema = resolved(row.grants)
    let rights = Asker.allCases.map { asker in
      schema.rights(of: asker.caller, onType: "T").permissions(onRecordBy: asker.creator)
    }
    #expect(rights == row.rights)
  }

  @Test func `to create come from no grant to the creator, as there is none yet`() {
    let schema = resolved([Grant(to: "_creator", [.read, .create, .write])])
    let rights = schema.rights(of: RecordCaller(user: "_u"), onType: "T")
    #expect(rights.permissions(onRecordBy: nil) == [])
    #expect(rights.mayReadSome)
    #expect(!schema.rights(of: .anyone, onType: "T").mayReadSome)
  }

  @Test func `of someone who has not signed in never come from a record without a creator`() {
    let schema = resolved([Grant(to: "_creator", [.read, .write])])
    #expect(schema.rights(of: .anyone, onType: "T").permissions(onRecordBy: nil) == [])
  }

  @Test func `cannot be had by naming a standard role as one's own`() {
    let schema = resolved([Grant(to: "_creator", .write), Grant(to: "_icloud", .create)])
    let intruder = RecordCaller(user: nil, roles: ["_creator", "_icloud"])
    #expect(schema.rights(of: intruder, onType: "T").permissions(onRecordBy: nil) == [])
    let user = RecordCaller(user: "_u", roles: ["_creator"])
    #expect(schema.rights(of: user, onType: "T").permissions(onRecordBy: "_other") == .create)
  }

  @Test func `on a type that nobody has saved yet are those that it would have`() {
    let schema = resolved([])
    #expect(schema.rights(of: .anyone, onType: "New").always == .read)
    #expect(schema.rights(of: RecordCaller(user: "_u"), onType: "New").always == [.read, .create])
  }

  /// The rules once more, one permission at a time: whether any grant reaches the caller.
  private func oracle(
    _ grants: [RecordSchema.Grant], _ caller: RecordCaller, creator: String?,
    _ wanted: RecordSchema.Permissions
  ) -> Bool {
    for grant in grants where grant.permissions.contains(wanted) {
      if grant.role == "_world" { return true }
      guard let user = caller.user else { continue }
      if grant.role == "_icloud" { return true }
      if grant.role == "_creator" {
        if user == creator { return true }
      } else if caller.roles.contains(grant.role) {
        return true
      }
    }
    return false
  }

  @Test(arguments: UInt64(0)..<10)
  func `agree with the rules in a thousand drawn cases`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let roles = ["_world", "_icloud", "_creator", "editor", "admin"]
    let users: [String?] = [nil, "_a", "_b"]
    for number in 0..<1_000 {
      let grants = generator.distinct(upTo: 6) { $0.pick(roles, or: "") }.map {
        Grant(to: $0, Permissions(rawValue: UInt8(generator.below(8))))
      }
      let caller = RecordCaller(
        user: generator.pick(users, or: nil),
        roles: Set(generator.distinct(upTo: 2) { $0.pick(["editor", "admin", "x"], or: "") }))
      let creator = generator.pick(users, or: nil)
      let rights = resolved(grants).rights(of: caller, onType: "T")
        .permissions(onRecordBy: creator)
      for (name, permission) in Permissions.named {
        #expect(
          rights.contains(permission) == oracle(grants, caller, creator: creator, permission),
          "seed \(seed), case \(number): \(name) of \(caller) on a record by \(creator ?? "nobody")"
        )
      }
    }
  }

  private func resolved(_ grants: [RecordSchema.Grant]) -> ResolvedSchema {
    ResolvedSchema(
      RecordSchema(
        roles: ["admin", "editor"], types: [RecordSchema.RecordType(name: "T", grants: grants)]),
      environment: .production, version: 1)
  }
}
