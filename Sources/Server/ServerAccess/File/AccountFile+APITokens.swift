import SQLiteDriver

/// An API token as it is listed: who is let in, never the secret.
public struct APIToken: Hashable, Sendable {
  /// The public name by which it is revoked, and which a sign-in page has in its address.
  public var id: String
  /// Where it is good for.
  public var place: ContainerPlace
  /// What its maker called it.
  public var name: String
  /// Which web pages may use it.
  public var origins: AllowedOrigins
  /// How a sign-in ends.
  public var callback: SignInCallback
  /// What its maker noted.
  public var notes: String
  /// When it was made, in milliseconds since 1970.
  public var created: Int64
}

/// An API token to be made.
public struct NewAPIToken: Hashable, Sendable {
  /// What to call it.
  public var name: String
  /// Where it is good for.
  public var place: ContainerPlace
  /// Which web pages may use it.
  public var origins: AllowedOrigins
  /// How a sign-in ends.
  public var callback: SignInCallback
  /// What to note.
  public var notes: String

  /// Describes a token.
  public init(
    name: String, place: ContainerPlace, origins: AllowedOrigins = .any,
    callback: SignInCallback = .postMessage, notes: String = ""
  ) {
    self.name = name
    self.place = place
    self.origins = origins
    self.callback = callback
    self.notes = notes
  }
}

extension AccountFile {
  /// How many random bytes the public names of tokens have.
  static let tokenIDBytes = 8

  /// Makes an API token; its text is never shown again.
  public func addAPIToken(_ new: NewAPIToken, now: Int64) throws(AccountError) -> IssuedToken {
    try NameRule.tokenName.check(new.name)
    try NameRule.notes.check(new.notes)
    let (issued, digest) = try issue(.api, expires: nil)
    let token = APIToken(
      id: issued.id, place: try new.place.checked(), name: new.name,
      origins: try new.origins.checked(), callback: try new.callback.checked(), notes: new.notes,
      created: now)
    try write(endsRights: false) { try APITokenRows.insert($0, token, digest) }
    return issued
  }

  /// The API tokens of a place, or of all, in the order in which they were made.
  public func apiTokens(in place: ContainerPlace? = nil) throws(AccountError) -> [APIToken] {
    try read { try APITokenRows.tokens($0, "ORDER BY created, id") { _ in } }
      .filter { place == nil || $0.place == place }
  }

  /// The API token with that public name.
  public func apiToken(id: String) throws(AccountError) -> APIToken? {
    try read { try APITokenRows.tokens($0, "WHERE id = ?1") { $0.bind(1, id) }.first }
  }

  /// Ends an API token.
  ///
  /// Web tokens that were had with it go on with another of the same place.
  public func revokeAPIToken(id: String) throws(AccountError) {
    try revoke("API token", id, from: "api_token", list: "recordd token list")
  }

  /// Makes a token's secret, what is kept of it, and its public name.
  func issue(
    _ kind: TokenKind, expires: Int64?
  ) throws(AccountError) -> (token: IssuedToken, digest: Digest256) {
    let secret = try random.bytes(TokenKind.secretBytes)
    guard let digest = Digest256(of: secret) else { throw .noHash("a token") }
    let id = HexText.text(try random.bytes(Self.tokenIDBytes))
    return (IssuedToken(id: id, text: kind.text(secret), expires: expires), digest)
  }

  /// Deletes the row with that public name; `table` is a word of ours.
  func revoke(
    _ kind: String, _ id: String, from table: String, list: String
  ) throws(AccountError) {
    try write(endsRights: true) { connection in
      let statement = try connection.statement("DELETE FROM \(table) WHERE id = ?1")
      statement.bind(1, id)
      try statement.run()
      if connection.changes == 0 { throw AccountError.unknown(kind, id, list: list) }
    }
  }
}

/// The statements about API tokens.
enum APITokenRows {
  static func insert(_ connection: Connection, _ token: APIToken, _ digest: Digest256) throws {
    let statement = try connection.statement(
      "INSERT INTO api_token VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    statement.bind(1, token.id)
    statement.bind(2, digest.bytes)
    statement.bind(3, token.place.container)
    statement.bind(4, token.place.environment)
    statement.bind(5, token.name)
    statement.bind(6, optional: token.origins.stored)
    statement.bind(7, optional: token.callback.stored)
    statement.bind(8, token.notes)
    statement.bind(9, token.created)
    try statement.run()
  }

  static func token(_ connection: Connection, _ digest: Digest256) throws -> APIToken? {
    try tokens(connection, "WHERE digest = ?1") { $0.bind(1, digest.bytes) }.first
  }

  static func tokens(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void
  ) throws -> [APIToken] {
    let statement = try connection.statement(
      """
      SELECT id, container, environment, name, origins, callback, notes, created FROM api_token \
      \(condition)
      """)
    bind(statement)
    var tokens: [APIToken] = []
    try statement.forEachRow { row throws(SQLiteError) in
      tokens.append(
        APIToken(
          id: row.text(0),
          place: ContainerPlace(container: row.text(1), environment: row.text(2)),
          name: row.text(3), origins: AllowedOrigins(stored: row.optionalText(4)),
          callback: SignInCallback(stored: row.optionalText(5)), notes: row.text(6),
          created: row.integer(7)))
    }
    return tokens
  }
}

extension Statement {
  func bind(_ index: Int32, optional text: String?) {
    if let text { bind(index, text) } else { bindNull(index) }
  }

  func optionalText(_ index: Int32) -> String? { isNull(index) ? nil : text(index) }
}
