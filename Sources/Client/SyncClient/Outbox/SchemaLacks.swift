import SQLiteDriver
import SyncCore

/// What production lacks of what this program would send, as the server has told it.
struct SchemaLacks: Hashable {
  private var types: [String: String] = [:]
  private var fields: [String: [String: String]] = [:]

  init(_ rows: [(type: String, field: String, reason: String)] = []) {
    for row in rows {
      if row.field.isEmpty {
        types[row.type] = row.reason
      } else {
        fields[row.type, default: [:]][row.field] = row.reason
      }
    }
  }

  var isEmpty: Bool { types.isEmpty && fields.isEmpty }

  /// The reason why a type cannot be sent; nil where it can.
  func has(_ type: String) -> String? { types[type] }

  /// Whether a field cannot be sent.
  func has(_ type: String, _ field: String) -> Bool { fields[type]?[field] != nil }

  func reason(_ type: String, _ field: String) -> String? {
    fields[type]?[field] ?? types[type]
  }
}

extension SyncRows {
  func lacks() throws(SQLiteError) -> SchemaLacks {
    let statement = try connection.statement(
      "SELECT type, field, reason FROM contrail_sync_lack")
    defer { statement.reset() }
    var found: [(type: String, field: String, reason: String)] = []
    while try statement.step() {
      found.append((statement.text(0), statement.text(1), statement.text(2)))
    }
    return SchemaLacks(found)
  }

  /// Notes that production lacks a type, or a field of it; `field` is empty for the type.
  func noteLack(_ type: String, _ field: String, _ reason: String) throws(SQLiteError) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO contrail_sync_lack (type, field, reason) VALUES (?1, ?2, ?3)")
    statement.bind(1, type)
    statement.bind(2, field)
    statement.bind(3, reason)
    try statement.run()
  }

  /// Forgets what production lacked: what was parked is pending again.
  func forgetLacks() throws(SQLiteError) {
    try connection.execute("DELETE FROM contrail_sync_lack")
    try unpark()
  }

  /// Makes pending what was parked.
  private func unpark() throws(SQLiteError) {
    for parked in try changes(in: .parked, limit: .max) {
      guard var pending = try change(of: parked.record, state: .pending) else {
        var row = parked
        (row.state, row.reason) = (.pending, nil)
        try put(row)
        continue
      }
      pending = try single(parked.record, of: pending)
      // What is pending was done later.
      pending.change = parked.change.followed(by: pending.change) ?? pending.change
      pending.last = max(pending.last, parked.last)
      try put(pending)
      try deleteChange(parked.number)
      try join(pending.unit, parked.unit)
    }
  }
}
