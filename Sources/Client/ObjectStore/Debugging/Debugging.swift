import Foundation

/// What a store tells of its work, for those who look for a mistake.
///
/// | variable | what is told |
/// |---|---|
/// | `CONTRAIL_SQL_DEBUG=1` | each statement with its time and its number of rows; what of a fetch SQL cannot ask |
/// | `CONTRAIL_SQL_DEBUG=2` | with values in place of parameters |
/// | `CONTRAIL_SQL_DEBUG=3` | and how many rows were looked at without an index, sorted, or put into an index for one use |
/// | `CONTRAIL_SQL_DEBUG=4` | and how SQLite went about it |
/// | `CONTRAIL_MIGRATION_DEBUG=1` | the steps of each migration |
///
/// ```
/// contrail store: /data/trips.store: made, 8A6C…, of Entry, Pilot, Plane
/// contrail sql: 0.412 ms, 3 rows: SELECT t0."_id" FROM "Entry" AS t0 WHERE (t0."hours" > 2.0)
/// contrail sql:   SEARCH t0 USING COVERING INDEX Entry_hours_index (hours>?)
/// contrail fetch: Entry: in memory: the method has no counterpart in SQL: …
/// ```
public struct Debugging: Sendable {
  /// How much is told of statements: 0 for nothing, up to 4.
  public var sqlLevel = 0
  /// Whether the steps of migrations are told.
  public var tellsMigrations = false
  /// Where each line goes; standard error by default.
  public var write: @Sendable (String) -> Void = { line in
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// Tells nothing.
  public init() {}

  /// The most that is told of statements.
  public static let sqlLevelMax = 4

  /// Takes the variables above from `environment`; a value that is no number counts as 0.
  public init(environment: [String: String]) {
    sqlLevel = min(
      Self.sqlLevelMax, max(0, environment["CONTRAIL_SQL_DEBUG"].flatMap(Int.init) ?? 0))
    tellsMigrations = (environment["CONTRAIL_MIGRATION_DEBUG"].flatMap(Int.init) ?? 0) > 0
  }

  /// What this process's environment asks for.
  static let ofProcess = Debugging(environment: ProcessInfo.processInfo.environment)

  /// Tells a step of a migration, where that is wanted.
  func migration(_ line: @autoclosure () -> String) {
    if tellsMigrations { write("contrail migration: \(line())") }
  }

  /// Tells that a store is made or opened, where anything is told.
  func store(_ line: @autoclosure () -> String) {
    if sqlLevel > 0 || tellsMigrations { write("contrail store: \(line())") }
  }

  /// Tells what of a fetch is done in memory, where statements are told.
  func fetch(_ line: @autoclosure () -> String) {
    if sqlLevel > 0 { write("contrail fetch: \(line())") }
  }
}
