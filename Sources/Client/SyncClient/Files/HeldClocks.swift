import DataModel
import SQLiteDriver
import SyncCore

/// When the value was given that an object has where its record names a file that has not come.
///
/// The record's own clocks tell of the file. Where the server loses that, who waits for it sends what the object
/// has instead, and as of when that was given: so it wins over what is earlier, and nothing that is later gives way
/// to it. It is remembered until the object has another value, not only while the file is waited for.
struct HeldClock: Hashable {
  let field: String
  let clock: FieldClock
}

extension SyncRows {
  func hold(_ held: HeldClock, of record: Int64) throws(SQLiteError) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO contrail_sync_held (record, field, time, device) VALUES (?1, ?2, ?3, ?4)"
    )
    statement.bind(1, record)
    statement.bind(2, held.field)
    statement.bind(3, Int64(bitPattern: held.clock.time.rawValue))
    statement.bind(4, Int64(bitPattern: held.clock.device.rawValue))
    try statement.run()
  }

  func heldClocks(of record: Int64) throws(SQLiteError) -> [HeldClock] {
    let statement = try connection.statement(
      "SELECT field, time, device FROM contrail_sync_held WHERE record = ?1 ORDER BY field")
    defer { statement.reset() }
    statement.bind(1, record)
    var held: [HeldClock] = []
    while try statement.step() {
      let time = HybridTime(rawValue: UInt64(bitPattern: statement.integer(1)))
      let device = DeviceNumber(rawValue: UInt64(bitPattern: statement.integer(2)))
      held.append(HeldClock(field: statement.text(0), clock: FieldClock(time, device)))
    }
    return held
  }

  /// The object has another value in a field, or its record tells when that was given.
  func forgetHeldClock(_ record: Int64, _ field: String) throws(SQLiteError) {
    let statement = try connection.statement(
      "DELETE FROM contrail_sync_held WHERE record = ?1 AND field = ?2")
    statement.bind(1, record)
    statement.bind(2, field)
    try statement.run()
  }

  func forgetHeldClocks(of record: Int64) throws(SQLiteError) {
    try run("DELETE FROM contrail_sync_held WHERE record = ?1", record)
  }
}

extension Array<HeldClock> {
  subscript(name: String) -> FieldClock? { first { $0.field.isSameName(name) }?.clock }
}

/// What is known, before a record's news is taken in, of when the object's values were given.
struct ValueClocks {
  /// What was confirmed last.
  let known: RecordState?
  /// What was done here since, which may give way to the news.
  let change: ChangeRow?
  let device: DeviceNumber

  /// When a field's value was given; nil where nobody knows.
  subscript(name: String) -> FieldClock? {
    if let edit = change?.change.edits.first(where: { $0.name.isSameName(name) }) {
      return edit.clock
    }
    if change?.change.kind == .create, let change { return FieldClock(change.clock, device) }
    return known?.clocks?[name]
  }
}
