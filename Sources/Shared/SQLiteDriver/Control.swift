/// What begins and ends transactions, and parts of them.
///
/// Every transaction runs two of these: each is found by its place, not by its text.
enum Control: Int, CaseIterable {
  case beginDeferred, beginImmediate, commit, beginPart, endPart

  var sql: String {
    switch self {
    case .beginDeferred: "BEGIN DEFERRED"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    // Savepoints of one name nest: the innermost is meant. https://www.sqlite.org/lang_savepoint.html
    case .beginPart: "SAVEPOINT contrail"
    case .endPart: "RELEASE contrail"
    }
  }

  fileprivate var call: FaultPlan.Call {
    switch self {
    case .beginDeferred, .beginImmediate, .beginPart: .begin
    case .commit, .endPart: .commit
    }
  }
}

/// The statements of a connection that control its transactions, once each was needed.
struct ControlStatements {
  private var prepared: [Statement?] = Array(repeating: nil, count: Control.allCases.count)

  /// The statement for `control`, which is in use by nobody: each runs to its end at once.
  ///
  /// Where somebody who hears of a statement asks for the same one before it was reset, it has ended, or was
  /// refused, and begins anew.
  fileprivate mutating func statement(
    _ control: Control, _ database: OpenDatabase
  ) throws(SQLiteError) -> Statement {
    if let known = prepared[control.rawValue] { return known }
    let made = try Statement(control.sql, on: database, isKept: true)
    prepared[control.rawValue] = made
    return made
  }
}

extension Connection {
  func run(_ control: Control) throws(SQLiteError) {
    if database.isWatched { try database.meetFault(control.call, sql: control.sql) }
    try controls.statement(control, database).run()
  }
}
