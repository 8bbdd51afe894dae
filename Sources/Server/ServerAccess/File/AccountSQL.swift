/// The tables of users, tokens and keys, and how their file is recognised.
enum AccountSQL {
  /// "CnAc" as a number, by which the file is recognised.
  ///
  /// See https://www.sqlite.org/pragma.html#pragma_application_id
  static let applicationID: Int64 = 0x436e_4163
  /// The format of the tables; raised with every change to them.
  static let formatVersion: Int64 = 1

  static let tables = [
    // `secret`, random bytes, and `generation`, a number that is raised whenever somebody loses a right.
    "CREATE TABLE access_fact (name TEXT PRIMARY KEY NOT NULL, value NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE user (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL COLLATE NOCASE UNIQUE, \
    given_name TEXT NOT NULL, family_name TEXT NOT NULL, email TEXT NOT NULL, \
    password_salt BLOB, password_hash BLOB, password_log_n INTEGER, \
    is_disabled INTEGER NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE INDEX user_email ON user (email COLLATE NOCASE) WHERE email != ''",
    // Roles of users and of keys.
    """
    CREATE TABLE subject_role (subject TEXT NOT NULL, container TEXT NOT NULL, \
    environment TEXT NOT NULL, role TEXT NOT NULL, \
    PRIMARY KEY (subject, container, environment, role)) WITHOUT ROWID
    """,
    """
    CREATE TABLE api_token (id TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE, \
    container TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL, origins TEXT, \
    callback TEXT, notes TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE server_key (id TEXT PRIMARY KEY NOT NULL, public_key BLOB NOT NULL, \
    container TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL, \
    created INTEGER NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE management_token (id TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE, \
    container TEXT, scope TEXT NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL, \
    expires INTEGER NOT NULL) WITHOUT ROWID
    """,
    // `life` is by how much use prolongs a token; null where it does not.
    """
    CREATE TABLE web_session (id TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE, \
    user TEXT NOT NULL, container TEXT NOT NULL, environment TEXT NOT NULL, \
    created INTEGER NOT NULL, expires INTEGER NOT NULL, life INTEGER) WITHOUT ROWID
    """,
    "CREATE INDEX web_session_user ON web_session (user, expires)",
    "CREATE INDEX web_session_end ON web_session (expires)",
  ]
}
