import SQLiteDriver

/// What a management token is good for.
public enum ManagementScope: String, Hashable, Sendable, CaseIterable {
  /// Exporting, validating and comparing schemas.
  case read
  /// Also importing, promoting and resetting.
  case write

  /// Whether a token of this scope may do what needs `other`.
  public func covers(_ other: ManagementScope) -> Bool { self == .write || other == .read }
}

/// A management token as it is listed.
public struct ManagementToken: Hashable, Sendable {
  /// The public name by which it is revoked.
  public var id: String
  /// The container that it is good for; nil for all.
  public var container: String?
  /// What it is good for.
  public var scope: ManagementScope
  /// What its maker called it; the audit list of a schema shows it.
  public var name: String
  /// When it was made, in milliseconds since 1970.
  public var created: Int64
  /// When it ends, in milliseconds since 1970.
  public var expires: Int64
}

extension AccountFile {
  /// Makes a management token for one container, or for all; its text is never shown again.
  public func addManagementToken(
    name: String, container: String?, scope: ManagementScope,
    life: Int64 = AccessLimits.managementTokenLife, now: Int64
  ) throws(AccountError) -> IssuedToken {
    try NameRule.tokenName.check(name)
    if let container { try NameRule.container.check(container) }
    let expires = try Self.end(of: life, now: now)
    let (issued, digest) = try issue(.management, expires: expires)
    try write(endsRights: false) { connection in
      let statement = try connection.statement(
        "INSERT INTO management_token VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      statement.bind(1, issued.id)
      statement.bind(2, digest.bytes)
      statement.bind(3, optional: container)
      statement.bind(4, scope.rawValue)
      statement.bind(5, name)
      statement.bind(6, now)
      statement.bind(7, expires)
      try statement.run()
    }
    return issued
  }

  /// All management tokens, also those that have ended, in the order in which they were made.
  public func managementTokens() throws(AccountError) -> [ManagementToken] {
    try read { try ManagementTokenRows.tokens($0, "ORDER BY created, id") { _ in } }
  }

  /// Ends a management token.
  public func revokeManagementToken(id: String) throws(AccountError) {
    try revoke("management token", id, from: "management_token", list: "recordd token list")
  }

  /// When something ends that is to live so long.
  static func end(of life: Int64, now: Int64) throws(AccountError) -> Int64 {
    guard life > 0, life <= AccessLimits.lifeMax else {
      throw AccountError(
        .invalidLife, "the token's life", "is \(life) milliseconds",
        fix: "choose up to \(AccessLimits.lifeMax / AccessLimits.day) days")
    }
    return Milliseconds.sum(now, life)
  }
}

/// The statements about management tokens.
enum ManagementTokenRows {
  static func token(_ connection: Connection, _ digest: Digest256) throws -> ManagementToken? {
    try tokens(connection, "WHERE digest = ?1") { $0.bind(1, digest.bytes) }.first
  }

  static func tokens(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void
  ) throws -> [ManagementToken] {
    let statement = try connection.statement(
      "SELECT id, container, scope, name, created, expires FROM management_token \(condition)")
    bind(statement)
    var tokens: [ManagementToken] = []
    try statement.forEachRow { row throws(SQLiteError) in
      // Of a scope that a later version may know, nothing but reading is certain.
      let scope = ManagementScope(rawValue: row.text(2)) ?? .read
      tokens.append(
        ManagementToken(
          id: row.text(0), container: row.optionalText(1), scope: scope, name: row.text(3),
          created: row.integer(4), expires: row.integer(5)))
    }
    return tokens
  }
}
