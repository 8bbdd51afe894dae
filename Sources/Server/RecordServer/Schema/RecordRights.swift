public import DataModel

/// Who asks something of the public database.
public struct RecordCaller: Hashable, Sendable {
  /// The record name of the user; nil for someone who has not signed in.
  public var user: String?
  /// The custom roles that the user has.
  public var roles: Set<String>

  /// Describes a caller.
  public init(user: String?, roles: Set<String> = []) {
    self.user = user
    self.roles = roles
  }

  /// Someone who has not signed in.
  public static let anyone = RecordCaller(user: nil)
}

/// What one caller may do with the records of one type in the public database.
///
/// Permissions add up over the roles that a caller has. Made once for a caller and a type; asking for
/// a record costs a comparison.
public struct RecordRights: Hashable, Sendable {
  /// What the caller may do with every record of the type, and with the type.
  public let always: RecordSchema.Permissions
  /// What the caller may do besides with records that they created.
  let asCreator: RecordSchema.Permissions
  /// The caller.
  let user: String?

  /// What the caller may do with a record that `creator` created.
  ///
  /// A record that is only to be created has no creator: the role `_creator` gives nobody CREATE.
  public func permissions(onRecordBy creator: String?) -> RecordSchema.Permissions {
    guard let user, creator == user else { return always }
    return always.union(asCreator)
  }

  /// Whether some record of the type may be read, so that a query is worth running.
  public var mayReadSome: Bool {
    always.union(user == nil ? [] : asCreator).contains(.read)
  }
}

/// A type's grants by role.
struct ResolvedGrants: Sendable {
  private var standard: [String: RecordSchema.Permissions] = [:]
  private var custom: [String: RecordSchema.Permissions] = [:]

  init(_ grants: [RecordSchema.Grant]) {
    for grant in grants {
      // Nobody has a standard role because a list of roles says so.
      if RecordSchema.standardRoles.contains(grant.role) {
        standard[grant.role, default: []].formUnion(grant.permissions)
      } else {
        custom[grant.role, default: []].formUnion(grant.permissions)
      }
    }
  }

  func rights(of caller: RecordCaller) -> RecordRights {
    let world = standard["_world"] ?? []
    guard let user = caller.user else {
      return RecordRights(always: world, asCreator: [], user: nil)
    }
    let signedIn = world.union(standard["_icloud"] ?? [])
    let always = custom.reduce(into: signedIn) { permissions, grant in
      if caller.roles.contains(grant.key) { permissions.formUnion(grant.value) }
    }
    return RecordRights(always: always, asCreator: standard["_creator"] ?? [], user: user)
  }
}

extension ResolvedSchema {
  /// What a caller may do with records of that type in the public database.
  ///
  /// A type that nobody has saved yet has the grants that it would be created with; whether it can
  /// be created is for `check` to say.
  public func rights(of caller: RecordCaller, onType name: String) -> RecordRights {
    (types[name] ?? unknownType).grants.rights(of: caller)
  }

  /// Whether a caller may write every record that there can be in the public database.
  func mayWriteAll(_ caller: RecordCaller) -> Bool {
    types.values.allSatisfy { $0.grants.rights(of: caller).always.contains(.write) }
  }
}
