import RecordWire
import SQLiteDriver
import SyncCore

// What sync itself puts together of known values is no new edit: its clocks are those of the values, so
// that it never wins over what a user did later. They are noted by the record in the transaction that
// writes the values, and found when that is taken into the outbox.
extension SyncRows {
  private static let prefix = "inherited/"

  /// Notes the clocks that edits of a record shall have, beside those that were noted before.
  func noteInherited(_ edits: [LocalEdit], of record: Int64) throws(SQLiteError) {
    if edits.isEmpty { return }
    let kept = try inherited(of: record).filter { old in
      !edits.contains { $0.name.utf8.elementsEqual(old.name.utf8) }
    }
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO contrail_sync (name, value) VALUES (?1, ?2)")
    statement.bind(1, Self.prefix + String(record))
    statement.bind(2, EditList.bytes(kept + edits))
    try statement.run()
  }

  /// The clocks that were noted for edits of a record.
  func inherited(of record: Int64) throws(SQLiteError) -> [LocalEdit] {
    let statement = try connection.statement("SELECT value FROM contrail_sync WHERE name = ?1")
    defer { statement.reset() }
    statement.bind(1, Self.prefix + String(record))
    return try statement.step() ? EditList.edits(statement.bytes(0)) : []
  }

  /// The edits of fields with the clocks that were noted, or else with this one.
  func inherited(
    of record: Int64, _ fields: [String], else clock: FieldClock
  ) throws(SQLiteError) -> [LocalEdit] {
    let noted = try inherited(of: record)
    return fields.map { field in
      noted.first { $0.name.utf8.elementsEqual(field.utf8) } ?? LocalEdit(field, .null, clock)
    }
  }

  /// Forgets all that was noted, once it was taken into the outbox.
  func forgetInherited() throws(SQLiteError) {
    // The character after the slash is 0.
    try connection.execute(
      "DELETE FROM contrail_sync WHERE name > 'inherited/' AND name < 'inherited0'")
  }
}

extension FieldClock {
  /// The moment after, of the same device.
  var next: FieldClock { FieldClock(time.next, device) }
}

extension LocalEdit {
  /// An edit that has the clock of the value that it comes from.
  static func inheriting(_ clock: FieldClock, _ field: String) -> LocalEdit {
    var edit = LocalEdit(field, .null, clock)
    edit.isInherited = true
    return edit
  }
}
