import SQLiteDriver

/// A server-to-server key as it is listed.
public struct ServerKey: Hashable, Sendable {
  /// The key ID that requests name: 64 hexadecimal digits.
  public var id: String
  /// Where it is good for.
  public var place: ContainerPlace
  /// What its maker called it.
  public var name: String
  /// When it was registered, in milliseconds since 1970.
  public var created: Int64
}

extension AccountFile {
  /// Registers the public half of a P-256 key, as PEM text.
  public func addServerKey(
    name: String, in place: ContainerPlace, publicKeyPEM text: String, now: Int64
  ) throws(AccountError) -> ServerKey {
    try NameRule.tokenName.check(name)
    let publicKey = try PublicKey.stored(pem: text, name: name)
    // Not made of the key's bytes: one key may be registered in several places.
    let key = ServerKey(
      id: HexText.text(try random.bytes(Self.keyIDBytes)), place: try place.checked(), name: name,
      created: now)
    try write(endsRights: false) { connection in
      let statement = try connection.statement(
        "INSERT INTO server_key VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
      statement.bind(1, key.id)
      statement.bind(2, publicKey)
      statement.bind(3, key.place.container)
      statement.bind(4, key.place.environment)
      statement.bind(5, key.name)
      statement.bind(6, key.created)
      try statement.run()
    }
    return key
  }

  /// The keys of a place, or of all, in the order in which they were registered.
  public func serverKeys(in place: ContainerPlace? = nil) throws(AccountError) -> [ServerKey] {
    try read { try ServerKeyRows.keys($0, "ORDER BY created, id") { _ in } }
      .map(\.listed).filter { place == nil || $0.place == place }
  }

  /// Ends a key.
  public func revokeServerKey(id: String) throws(AccountError) {
    try revoke("key", id, from: "server_key", list: "recordd key list")
  }

  private static let keyIDBytes = 32
}

/// The statements about keys.
enum ServerKeyRows {
  struct Row {
    var listed: ServerKey
    var publicKey: [UInt8]
  }

  static func key(_ connection: Connection, _ id: String) throws -> Row? {
    try keys(connection, "WHERE id = ?1") { $0.bind(1, id) }.first
  }

  static func keys(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void
  ) throws -> [Row] {
    let statement = try connection.statement(
      "SELECT id, container, environment, name, created, public_key FROM server_key \(condition)")
    bind(statement)
    var keys: [Row] = []
    try statement.forEachRow { row throws(SQLiteError) in
      let place = ContainerPlace(container: row.text(1), environment: row.text(2))
      keys.append(
        Row(
          listed: ServerKey(
            id: row.text(0), place: place, name: row.text(3), created: row.integer(4)),
          publicKey: row.bytes(5)))
    }
    return keys
  }
}
