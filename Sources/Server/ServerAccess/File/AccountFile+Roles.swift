import SQLiteDriver

extension AccountFile {
  /// Says which roles of a place's schema a user has there; they have no others afterwards.
  public func setRoles(
    _ roles: Set<String>, ofUser name: String, in place: ContainerPlace
  ) throws(AccountError) {
    let place = try Self.checked(roles, place)
    try change(userNamed: name) { connection, user in
      try RoleRows.set(connection, roles, ofSubject: user.id, in: place)
    }
  }

  /// Says which roles a server-to-server key has in its place; it has no others afterwards.
  public func setRoles(_ roles: Set<String>, ofServerKey id: String) throws(AccountError) {
    try write(endsRights: true) { connection in
      guard let key = try ServerKeyRows.key(connection, id) else {
        throw AccountError.unknown("key", id, list: "recordd key list")
      }
      try RoleRows.set(
        connection, roles, ofSubject: id, in: Self.checked(roles, key.listed.place))
    }
  }

  /// The roles that a user, or a key, has in a place.
  public func roles(
    ofSubject id: String, in place: ContainerPlace
  ) throws(AccountError) -> Set<String> {
    try read { try RoleRows.roles($0, ofSubject: id, in: place) }
  }

  private static func checked(
    _ roles: Set<String>, _ place: ContainerPlace
  ) throws(AccountError) -> ContainerPlace {
    for role in roles {
      try NameRule.role.check(role)
      // Roles such as _world are had by what somebody is, never by a list.
      if role.utf8.first == UInt8(ascii: "_") {
        throw AccountError(
          .invalidName, "role \(role.shownInErrors)", "is a standard one, which nobody is given",
          fix: "name a role that the schema creates")
      }
    }
    if roles.count > AccessLimits.rolesMax {
      throw AccountError(
        .tooMany, "roles", "are more than \(AccessLimits.rolesMax)", fix: "give fewer")
    }
    return try place.checked()
  }
}

/// The statements about roles.
enum RoleRows {
  static func roles(
    _ connection: Connection, ofSubject id: String, in place: ContainerPlace
  ) throws -> Set<String> {
    let statement = try connection.statement(
      "SELECT role FROM subject_role WHERE subject = ?1 AND container = ?2 AND environment = ?3")
    statement.bind(1, id)
    statement.bind(2, place.container)
    statement.bind(3, place.environment)
    var roles: Set<String> = []
    try statement.forEachRow { row throws(SQLiteError) in roles.insert(row.text(0)) }
    return roles
  }

  static func set(
    _ connection: Connection, _ roles: Set<String>, ofSubject id: String, in place: ContainerPlace
  ) throws {
    let deletion = try connection.statement(
      "DELETE FROM subject_role WHERE subject = ?1 AND container = ?2 AND environment = ?3")
    deletion.bind(1, id)
    deletion.bind(2, place.container)
    deletion.bind(3, place.environment)
    try deletion.run()
    for role in roles {
      let statement = try connection.statement(
        "INSERT OR IGNORE INTO subject_role VALUES (?1, ?2, ?3, ?4)")
      statement.bind(1, id)
      statement.bind(2, place.container)
      statement.bind(3, place.environment)
      statement.bind(4, role)
      try statement.run()
    }
  }

  static func delete(_ connection: Connection, ofSubject id: String) throws {
    let statement = try connection.statement("DELETE FROM subject_role WHERE subject = ?1")
    statement.bind(1, id)
    try statement.run()
  }
}
