import SQLiteDriver

/// What the file says of itself.
struct AccountFacts: Sendable {
  var secret: [UInt8]
  var generation: Int64

  /// Recognises the file, or makes its tables.
  static func prepare(
    _ connection: Connection, _ path: String, _ random: RandomBytes
  ) throws -> AccountFacts {
    try connection.transaction(.immediate, failingAs: { $0 as any Error }) {
      if try isBlank(connection) { try create(connection, random) }
      try recognise(connection, path)
      let facts = AccountFacts(
        secret: try secret(connection), generation: try generation(connection))
      guard facts.secret.count == AccountFile.secretBytes, facts.generation > 0 else {
        throw AccountError.damagedRow(path, "access_fact")
      }
      return facts
    }
  }

  static func generation(_ connection: Connection) throws(SQLiteError) -> Int64 {
    let statement = try connection.statement(
      "SELECT value FROM access_fact WHERE name = 'generation'")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  static func raiseGeneration(_ connection: Connection) throws(SQLiteError) {
    try connection.statement("UPDATE access_fact SET value = value + 1 WHERE name = 'generation'")
      .run()
  }

  private static func secret(_ connection: Connection) throws -> [UInt8] {
    let statement = try connection.prepare("SELECT value FROM access_fact WHERE name = 'secret'")
    return try statement.step() ? statement.bytes(0) : []
  }

  private static func isBlank(_ connection: Connection) throws -> Bool {
    let statement = try connection.prepare("SELECT count(*) FROM sqlite_schema")
    return try statement.step() && statement.integer(0) == 0
  }

  private static func create(_ connection: Connection, _ random: RandomBytes) throws {
    for table in AccountSQL.tables { try connection.execute(table) }
    try connection.setPragma("application_id", to: AccountSQL.applicationID)
    try connection.setPragma("user_version", to: AccountSQL.formatVersion)
    let statement = try connection.prepare(
      "INSERT INTO access_fact VALUES ('secret', ?1), ('generation', 1)")
    statement.bind(1, try random.bytes(AccountFile.secretBytes))
    try statement.run()
  }

  private static func recognise(_ connection: Connection, _ path: String) throws {
    guard try connection.integerPragma("application_id") == AccountSQL.applicationID else {
      throw AccountError(
        .notAnAccountFile, path, "is a database of another program",
        fix: "name another file, or one that does not exist yet")
    }
    let version = try connection.integerPragma("user_version")
    guard version <= AccountSQL.formatVersion else {
      throw AccountError(
        .newerFormat, path,
        "has format \(version), and this version reads up to \(AccountSQL.formatVersion)",
        fix: "open it with the newer version that made it")
    }
  }
}
