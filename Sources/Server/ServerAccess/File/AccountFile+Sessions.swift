import SQLiteDriver

/// A web token as it is listed.
public struct WebSession: Hashable, Sendable {
  /// The public name by which it is revoked.
  public var id: String
  /// The identifier of the user that it stands for.
  public var user: String
  /// Where it is good for.
  public var place: ContainerPlace
  /// When it was made, in milliseconds since 1970.
  public var created: Int64
  /// When it ends, in milliseconds since 1970.
  public var expires: Int64
  /// By how much use prolongs it, in milliseconds; nil where it does not.
  public var life: Int64?
}

extension AccountFile {
  /// Makes a web token for a user without a sign-in, such as for a program that nobody attends to.
  ///
  /// It ends when it is said to, however much it is used.
  public func addWebToken(
    userNamed name: String, in place: ContainerPlace, life: Int64, now: Int64
  ) throws(AccountError) -> IssuedToken {
    let place = try place.checked()
    let expires = try Self.end(of: life, now: now)
    let (issued, digest) = try issue(.web, expires: expires)
    try write(endsRights: false) { connection in
      guard let user = try UserRows.user(connection, named: name) else {
        throw AccountError.unknown("user", name, list: "recordd user list")
      }
      let session = WebSession(
        id: issued.id, user: user.id, place: place, created: now, expires: expires, life: nil)
      try SessionRows.insert(connection, session, digest, now: now)
    }
    return issued
  }

  /// The web tokens of a user, those that end first in front.
  public func webSessions(ofUser name: String) throws(AccountError) -> [WebSession] {
    try read { connection in
      guard let user = try UserRows.user(connection, named: name) else { return [] }
      return try SessionRows.sessions(connection, "WHERE user = ?1 ORDER BY expires, id") {
        $0.bind(1, user.id)
      }
    }
  }

  /// Ends one web token.
  public func revokeWebSession(id: String) throws(AccountError) {
    try revoke("web token", id, from: "web_session", list: "recordd token list --user NAME")
  }

  /// Ends the web token with this text, as signing out does; one that is not there has ended already.
  public func signOut(_ webToken: String) throws(AccountError) {
    guard let digest = TokenKind.web.digest(webToken),
      let session = try read({ try SessionRows.session($0, digest) })
    else { return }
    // Only now a write, which costs a wait for the disk: made-up tokens must not.
    try write(endsRights: true) { try SessionRows.delete($0, session.id) }
  }

  /// Ends all web tokens of a user.
  public func signOutEverywhere(userNamed name: String) throws(AccountError) {
    try change(userNamed: name) { try SessionRows.delete($0, ofUser: $1.id) }
  }
}

/// The statements about web tokens.
enum SessionRows {
  /// Adds a session, and takes away those that have ended and those that are too many.
  static func insert(
    _ connection: Connection, _ session: WebSession, _ digest: Digest256, now: Int64
  ) throws {
    let purge = try connection.statement("DELETE FROM web_session WHERE expires <= ?1")
    purge.bind(1, now)
    try purge.run()
    try makeRoom(connection, session.user)
    let statement = try connection.statement(
      "INSERT INTO web_session VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    statement.bind(1, session.id)
    statement.bind(2, digest.bytes)
    statement.bind(3, session.user)
    statement.bind(4, session.place.container)
    statement.bind(5, session.place.environment)
    statement.bind(6, session.created)
    statement.bind(7, session.expires)
    if let life = session.life { statement.bind(8, life) } else { statement.bindNull(8) }
    try statement.run()
  }

  private static func makeRoom(_ connection: Connection, _ user: String) throws {
    let statement = try connection.statement(
      """
      DELETE FROM web_session WHERE id IN (SELECT id FROM web_session WHERE user = ?1 \
      ORDER BY expires DESC, id LIMIT -1 OFFSET ?2)
      """)
    statement.bind(1, user)
    statement.bind(2, Int64(AccessLimits.sessionsPerUserMax - 1))
    try statement.run()
    // What was taken away must not live on in memory.
    if connection.changes > 0 { try AccountFacts.raiseGeneration(connection) }
  }

  static func session(_ connection: Connection, _ digest: Digest256) throws -> WebSession? {
    try sessions(connection, "WHERE digest = ?1") { $0.bind(1, digest.bytes) }.first
  }

  static func sessions(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void
  ) throws -> [WebSession] {
    let statement = try connection.statement(
      """
      SELECT id, user, container, environment, created, expires, life FROM web_session \(condition)
      """)
    bind(statement)
    var sessions: [WebSession] = []
    try statement.forEachRow { row throws(SQLiteError) in
      let place = ContainerPlace(container: row.text(2), environment: row.text(3))
      sessions.append(
        WebSession(
          id: row.text(0), user: row.text(1), place: place, created: row.integer(4),
          expires: row.integer(5), life: row.isNull(6) ? nil : row.integer(6)))
    }
    return sessions
  }

  static func prolong(_ connection: Connection, _ id: String, to expires: Int64) throws {
    let statement = try connection.statement(
      "UPDATE web_session SET expires = max(expires, ?1) WHERE id = ?2")
    statement.bind(1, expires)
    statement.bind(2, id)
    try statement.run()
  }

  static func delete(_ connection: Connection, _ id: String) throws {
    let statement = try connection.statement("DELETE FROM web_session WHERE id = ?1")
    statement.bind(1, id)
    try statement.run()
  }

  static func delete(_ connection: Connection, ofUser id: String) throws {
    let statement = try connection.statement("DELETE FROM web_session WHERE user = ?1")
    statement.bind(1, id)
    try statement.run()
  }
}
