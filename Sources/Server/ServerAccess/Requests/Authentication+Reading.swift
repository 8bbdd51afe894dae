import SQLiteDriver

extension Authentication {
  /// What is kept under `key`, or else what `read` finds in the file.
  ///
  /// What is not there is not kept: a token that is made meanwhile is good at once, and made-up ones take
  /// no room.
  func lookUp<Key, Entry: Sendable>(
    _ cache: LookupCache<Key, Entry>, _ key: Key, _ generation: Int64,
    _ read: (Connection) throws -> Entry?
  ) throws(AccessFailure) -> Entry? {
    if let kept = cache.entry(key, generation: generation) { return kept }
    let found: (entry: Entry, generation: Int64)?
    do {
      // Both at one moment: what is kept must not be older than its generation says.
      found = try accounts.read { connection in
        guard let entry = try read(connection) else { return nil }
        return (entry, try AccountFacts.generation(connection))
      }
    } catch {
      throw .unavailable(error)
    }
    guard let found else { return nil }
    cache.keep(key, found.entry, generation: found.generation)
    return found.entry
  }

  static func readAPIToken(_ connection: Connection, _ digest: Digest256) throws -> KnownAPIToken? {
    guard let token = try APITokenRows.token(connection, digest) else { return nil }
    let anonymous = Caller(
      kind: .anonymous, recordName: nil, userID: nil, roles: [], tokenID: token.id, sessionID: nil)
    return KnownAPIToken(token: token, anonymous: anonymous)
  }

  func readSession(_ connection: Connection, _ digest: Digest256) throws -> KnownSession? {
    guard let session = try SessionRows.session(connection, digest),
      let user = try UserRows.users(
        connection, "WHERE id = ?1", bind: { $0.bind(1, session.user) }
      ).first, !user.isDisabled
    else { return nil }
    return KnownSession(
      session: session, recordName: try accounts.recordName(ofSubject: user.id, in: session.place),
      roles: try RoleRows.roles(connection, ofSubject: user.id, in: session.place))
  }

  func readKey(_ connection: Connection, _ id: String) throws -> KnownKey? {
    guard let row = try ServerKeyRows.key(connection, id) else { return nil }
    guard let publicKey = PublicKey(stored: row.publicKey) else {
      throw AccountError.damagedRow(accounts.path, "server_key")
    }
    let place = row.listed.place
    let caller = Caller(
      kind: .key, recordName: try accounts.recordName(ofSubject: id, in: place), userID: nil,
      roles: try RoleRows.roles(connection, ofSubject: id, in: place), tokenID: id, sessionID: nil)
    return KnownKey(place: place, publicKey: publicKey, caller: caller)
  }
}
