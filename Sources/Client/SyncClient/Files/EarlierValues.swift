import DataModel
import RecordWire
import SQLiteDriver
import SyncCore

/// When the value was given that an object has where its record names a file that has not come.
///
/// The record's own clocks tell of the file. Where the server loses that, who waits for it sends what the object
/// has instead, and as of when that was given: so it wins over what is earlier, and nothing that is later gives way
/// to it. It is remembered longer than the file is waited for, since a value that is not there is not waited for.
struct EarlierValue: Hashable {
  let field: String
  let clock: FieldClock
}

extension Array<EarlierValue> {
  /// When the object's value of a field was given; nil where nobody noted that.
  subscript(field: String) -> FieldClock? { first { $0.field.isSameName(field) }?.clock }
}

extension SyncRows {
  func put(_ earlier: EarlierValue, of record: Int64) throws(SQLiteError) {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_sync_earlier (record, field, time, device) \
      VALUES (?1, ?2, ?3, ?4)
      """)
    statement.bind(1, record)
    statement.bind(2, earlier.field)
    statement.bind(3, Int64(bitPattern: earlier.clock.time.rawValue))
    statement.bind(4, Int64(bitPattern: earlier.clock.device.rawValue))
    try statement.run()
  }

  func earlierValues(of record: Int64) throws(SQLiteError) -> [EarlierValue] {
    let statement = try connection.statement(
      "SELECT field, time, device FROM contrail_sync_earlier WHERE record = ?1 ORDER BY field")
    defer { statement.reset() }
    statement.bind(1, record)
    var values: [EarlierValue] = []
    while try statement.step() {
      let time = HybridTime(rawValue: UInt64(bitPattern: statement.integer(1)))
      let device = DeviceNumber(rawValue: UInt64(bitPattern: statement.integer(2)))
      values.append(EarlierValue(field: statement.text(0), clock: FieldClock(time, device)))
    }
    return values
  }

  /// The object has what its record has.
  func forgetEarlierValue(_ record: Int64, _ field: String) throws(SQLiteError) {
    let statement = try connection.statement(
      "DELETE FROM contrail_sync_earlier WHERE record = ?1 AND field = ?2")
    statement.bind(1, record)
    statement.bind(2, field)
    try statement.run()
  }

  func forgetEarlierValues(of record: Int64) throws(SQLiteError) {
    try run("DELETE FROM contrail_sync_earlier WHERE record = ?1", record)
  }
}

/// What is known of an object's values when news of its record is taken in.
struct ValuesBefore {
  /// What was confirmed last.
  let known: RecordState
  /// What was done here since, which may give way to the news.
  let change: ChangeRow?

  /// When a value was given that an object has; nil where it is neither what was confirmed nor what was done since, as
  /// where that was given up.
  func clock(of value: RecordValue, in field: String) -> FieldClock? {
    if let edit = change?.change.edits.first(where: { $0.name.isSameName(field) }) {
      return edit.value.isSame(as: value) ? edit.clock : nil
    }
    return known.value(field).isSame(as: value) ? known.clocks?[field] : nil
  }
}

extension Receiver {
  /// Notes when what an object has was given, where its record names a file from now on: `values` are taken of the
  /// record's `fields`.
  ///
  /// Only of what is earlier than the file. Who writes without clocks leaves the one of the value before, and a merge
  /// rule may prefer an earlier value: to send what gave way as of its own time would undo that.
  func noteEarlierValues(
    before values: RecordFields, _ type: ObjectType, _ fields: RecordFields, of row: RecordRow,
    _ before: ValuesBefore?
  ) throws {
    let names = values.names.filter { type.fileFields.contains($0) }
    guard !names.isEmpty, let clocks = objects.clocks(of: fields) else { return }
    let read = try local.fields(of: row, files: .fields(Set(names)))
    let awaited = try rows.awaitedFiles(of: row.number)
    // NB: of a file that is waited for the object has the value before, and when that was given was noted then.
    for name in names where !awaited.contains(where: { $0.field.isSameName(name) }) {
      if values[name]?.value == .null {
        try rows.forgetEarlierValue(row.number, name)
        continue
      }
      let value = read?.fields[name]?.value ?? .null
      guard let clock = before?.clock(of: value, in: name) else { continue }
      if let news = clocks[name], clock < news {
        try rows.put(EarlierValue(field: name, clock: clock), of: row.number)
      } else {
        try rows.forgetEarlierValue(row.number, name)
      }
    }
  }
}
