import SQLiteDriver

extension AccountFile {
  /// Adds a user.
  @discardableResult
  public func addUser(_ new: NewUser, now: Int64) throws(AccountError) -> User {
    try new.check()
    let hash: PasswordHash? =
      if let password = new.password { try hash(of: password, new.name) } else { nil }
    let user = User(
      id: HexText.text(try random.bytes(Self.userIDBytes)), name: new.name,
      givenName: new.givenName, familyName: new.familyName, email: new.email,
      hasPassword: hash != nil, isDisabled: false, created: now)
    try write(endsRights: false) { connection in
      if try UserRows.user(connection, named: new.name) != nil {
        throw AccountError(
          .nameTaken, "user \(new.name.shownInErrors)", "is there already",
          fix: "choose another name")
      }
      try UserRows.insert(connection, user, hash)
    }
    return user
  }

  /// All users, by name.
  public func users() throws(AccountError) -> [User] {
    try read { try UserRows.users($0, "ORDER BY name") { _ in } }
  }

  /// The user who signs in with that name.
  public func user(named name: String) throws(AccountError) -> User? {
    try read { try UserRows.user($0, named: name) }
  }

  /// The user with that identifier.
  public func user(id: String) throws(AccountError) -> User? {
    try read { try UserRows.users($0, "WHERE id = ?1") { $0.bind(1, id) }.first }
  }

  /// The users who are found by that e-mail address; upper and lower case are the same.
  public func users(email: String) throws(AccountError) -> [User] {
    if email.isEmpty { return [] }
    return try read {
      try UserRows.users($0, "WHERE email = ?1 COLLATE NOCASE ORDER BY name") { $0.bind(1, email) }
    }
  }

  /// The record name that stands for a user, or a key, in a place.
  public func recordName(
    ofSubject id: String, in place: ContainerPlace
  ) throws(AccountError) -> String {
    guard let name = UserRecordName.make(id, in: place, secret: secret) else {
      throw .noHash("user \(id.shownInErrors)")
    }
    return name
  }

  /// Gives a user another password, and ends all of their web tokens.
  public func setPassword(_ password: String, ofUser name: String) throws(AccountError) {
    let hash = try hash(of: password, name)
    try change(userNamed: name) { connection, user in
      try UserRows.setPassword(connection, user.id, hash)
      try SessionRows.delete(connection, ofUser: user.id)
    }
  }

  /// Shuts a user out, which ends all of their web tokens, or lets them in again.
  public func setDisabled(_ isDisabled: Bool, userNamed name: String) throws(AccountError) {
    try change(userNamed: name) { connection, user in
      try UserRows.setDisabled(connection, user.id, isDisabled)
      if isDisabled { try SessionRows.delete(connection, ofUser: user.id) }
    }
  }

  /// Removes a user with their roles and web tokens; their records stay.
  public func removeUser(named name: String) throws(AccountError) {
    try change(userNamed: name) { connection, user in
      try SessionRows.delete(connection, ofUser: user.id)
      try RoleRows.delete(connection, ofSubject: user.id)
      try UserRows.delete(connection, user.id)
    }
  }

  private static let userIDBytes = 16

  func change(
    userNamed name: String, _ body: (Connection, User) throws -> Void
  ) throws(AccountError) {
    try write(endsRights: true) { connection in
      guard let user = try UserRows.user(connection, named: name) else {
        throw AccountError.unknown("user", name, list: "recordd user list")
      }
      try body(connection, user)
    }
  }

  private func hash(of password: String, _ name: String) throws(AccountError) -> PasswordHash {
    let range = AccessLimits.passwordBytesMin...AccessLimits.passwordBytesMax
    guard range.contains(password.utf8.count) else {
      throw AccountError(
        .invalidPassword, "the password of \(name.shownInErrors)",
        "has \(password.utf8.count) bytes",
        fix: "choose one of \(range.lowerBound) to \(range.upperBound) bytes")
    }
    let salt = try random.bytes(PasswordHash.saltBytes)
    guard let hash = PasswordHash(of: password, salt: salt, cost: passwordCost) else {
      throw .noHash("the password of \(name.shownInErrors)")
    }
    return hash
  }
}

/// The statements about users.
enum UserRows {
  private static let columns = """
    id, name, given_name, family_name, email, password_hash IS NOT NULL, is_disabled, created
    """

  static func user(_ connection: Connection, named name: String) throws -> User? {
    try users(connection, "WHERE name = ?1") { $0.bind(1, name) }.first
  }

  static func users(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void
  ) throws -> [User] {
    let statement = try connection.statement("SELECT \(columns) FROM user \(condition)")
    bind(statement)
    var users: [User] = []
    try statement.forEachRow { row throws(SQLiteError) in
      users.append(
        User(
          id: row.text(0), name: row.text(1), givenName: row.text(2), familyName: row.text(3),
          email: row.text(4), hasPassword: row.integer(5) != 0, isDisabled: row.integer(6) != 0,
          created: row.integer(7)))
    }
    return users
  }

  static func insert(_ connection: Connection, _ user: User, _ hash: PasswordHash?) throws {
    let statement = try connection.statement(
      "INSERT INTO user VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
    statement.bind(1, user.id)
    statement.bind(2, user.name)
    statement.bind(3, user.givenName)
    statement.bind(4, user.familyName)
    statement.bind(5, user.email)
    bind(hash, to: statement, at: 6)
    statement.bind(9, Int64(user.isDisabled ? 1 : 0))
    statement.bind(10, user.created)
    try statement.run()
  }

  private static func bind(_ hash: PasswordHash?, to statement: Statement, at place: Int32) {
    guard let hash else { return (place..<place + 3).forEach { statement.bindNull($0) } }
    statement.bind(place, hash.salt)
    statement.bind(place + 1, hash.hash)
    statement.bind(place + 2, Int64(hash.logN))
  }

  static func setPassword(_ connection: Connection, _ id: String, _ hash: PasswordHash) throws {
    let statement = try connection.statement(
      """
      UPDATE user SET password_salt = ?1, password_hash = ?2, password_log_n = ?3 WHERE id = ?4
      """)
    bind(hash, to: statement, at: 1)
    statement.bind(4, id)
    try statement.run()
  }

  static func password(_ connection: Connection, _ id: String) throws -> PasswordHash? {
    let statement = try connection.statement(
      """
      SELECT password_salt, password_hash, password_log_n FROM user
      WHERE id = ?1 AND password_hash IS NOT NULL
      """)
    defer { statement.reset() }
    statement.bind(1, id)
    guard try statement.step() else { return nil }
    return PasswordHash(
      salt: statement.bytes(0), hash: statement.bytes(1), logN: Int(clamping: statement.integer(2)))
  }

  static func setDisabled(_ connection: Connection, _ id: String, _ isDisabled: Bool) throws {
    let statement = try connection.statement("UPDATE user SET is_disabled = ?1 WHERE id = ?2")
    statement.bind(1, Int64(isDisabled ? 1 : 0))
    statement.bind(2, id)
    try statement.run()
  }

  static func delete(_ connection: Connection, _ id: String) throws {
    let statement = try connection.statement("DELETE FROM user WHERE id = ?1")
    statement.bind(1, id)
    try statement.run()
  }
}
