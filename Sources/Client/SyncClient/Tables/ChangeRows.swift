import RecordWire
import SQLiteDriver
import SyncCore

/// What was done here to a record, or to a run of new ones, and is not confirmed.
struct ChangeRow: Hashable {
  /// Where a change stands.
  enum State: Int64, Hashable, CaseIterable {
    /// It is sent as soon as possible.
    case pending = 0
    /// It waits until production has a type or a field.
    case parked = 1
    /// It was refused, or has lost its record; somebody has to do something about it.
    case failed = 2
  }

  var number: Int64
  /// The record's number, or that of the first of a run.
  var record: Int64
  /// How many records there are: more than one only for new ones.
  var count: Int64
  /// What was done; the values of edits are the object's, or `kept`.
  var change: LocalChange
  /// The clock of new records.
  var clock: HybridTime
  /// Changes of one unit are sent together; the number of the unit's first transaction.
  var unit: Int64
  /// The last transaction that is in it.
  var last: Int64
  var state = State.pending
  /// When it was made first, in milliseconds since 1970.
  var time: Int64
  var attempts: Int64 = 0
  /// Not before this, in milliseconds since 1970.
  var retry: Int64 = 0
  var code: String?
  var reason: String?
  /// Values that are nowhere else any more: those of an object that was deleted elsewhere; or of edited fields
  /// that have no place in an object here, null for what was emptied.
  var kept: FieldBytes?
  /// Whether it is a deletion that was made since there is an equal object: whatever becomes of it, nobody who
  /// uses the program wanted the object gone.
  var isOfUnifying = false
}

extension SyncRows {
  private static let columns = """
    number, record, count, kind, edits, clock, unit, last, sent, state, time, attempts, retry, code, \
    reason, kept
    """

  /// What stands in the place of the kind for an update that was made over a deletion.
  private static let anew: Int64 = 4

  /// What the column `sent` says of a change.
  enum Mark {
    static let mayHaveArrived: Int64 = 1
    static let isOfUnifying: Int64 = 2
  }

  /// The mark of `isOfUnifying` in stores that earlier versions wrote; an answer of the server took its place.
  private static let unified = "UNIFIED"

  private func row(_ statement: Statement) -> ChangeRow {
    var change = LocalChange(
      LocalChange.Kind(rawValue: statement.integer(3)) ?? .update,
      edits: EditList.edits(statement.bytes(4)),
      mayHaveArrived: statement.integer(8) & Mark.mayHaveArrived != 0)
    change.isAnew = statement.integer(3) == Self.anew
    let code = statement.isNull(13) ? nil : statement.text(13)
    return ChangeRow(
      number: statement.integer(0), record: statement.integer(1), count: statement.integer(2),
      change: change,
      clock: HybridTime(rawValue: UInt64(bitPattern: statement.integer(5))),
      unit: statement.integer(6), last: statement.integer(7),
      state: ChangeRow.State(rawValue: statement.integer(9)) ?? .failed,
      time: statement.integer(10), attempts: statement.integer(11), retry: statement.integer(12),
      code: code == Self.unified ? nil : code,
      reason: statement.isNull(14) ? nil : statement.text(14),
      kept: statement.isNull(15) ? nil : FieldBytes(checked: statement.bytes(15)),
      isOfUnifying: change.kind == .delete
        && (code == Self.unified || statement.integer(8) & Mark.isOfUnifying != 0))
  }

  /// The change of a record that stands in `state`; nil where there is none.
  func change(of record: Int64, state: ChangeRow.State) throws(SQLiteError) -> ChangeRow? {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns) FROM contrail_sync_change WHERE record <= ?1 AND state = ?2 \
      ORDER BY record DESC LIMIT 1
      """)
    defer { statement.reset() }
    statement.bind(1, record)
    statement.bind(2, state.rawValue)
    guard try statement.step() else { return nil }
    let found = row(statement)
    return record < found.record &+ found.count ? found : nil
  }

  func change(number: Int64) throws(SQLiteError) -> ChangeRow? {
    let statement = try connection.statement(
      "SELECT \(Self.columns) FROM contrail_sync_change WHERE number = ?1")
    defer { statement.reset() }
    statement.bind(1, number)
    return try statement.step() ? row(statement) : nil
  }

  /// The pending changes of a unit with numbers from `first` on, in the order in which they were made,
  /// `limit` at most.
  func changes(
    ofUnit unit: Int64, from first: Int64, limit: Int
  ) throws(SQLiteError) -> [ChangeRow] {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns) FROM contrail_sync_change WHERE state = 0 AND unit = ?1 \
      AND number >= ?2 ORDER BY number LIMIT ?3
      """)
    defer { statement.reset() }
    statement.bind(1, unit)
    statement.bind(2, first)
    statement.bind(3, Int64(limit))
    var rows: [ChangeRow] = []
    while try statement.step() { rows.append(row(statement)) }
    return rows
  }

  /// All changes in a state, the oldest first.
  func changes(in state: ChangeRow.State, limit: Int) throws(SQLiteError) -> [ChangeRow] {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns) FROM contrail_sync_change WHERE state = ?1 ORDER BY unit, number LIMIT ?2
      """)
    defer { statement.reset() }
    statement.bind(1, state.rawValue)
    statement.bind(2, Int64(limit))
    var rows: [ChangeRow] = []
    while try statement.step() { rows.append(row(statement)) }
    return rows
  }

  /// Whether something was deleted here that the server has, also where it refused to delete it.
  func hasDeletions() throws(SQLiteError) -> Bool {
    try integer(
      """
      SELECT 1 FROM contrail_sync_change WHERE state IN (0, 2) \
      AND kind = \(LocalChange.Kind.delete.rawValue) LIMIT 1
      """) != nil
  }

  /// Whether there are new records of which nobody knows whether they arrived.
  func hasUncertainCreations() throws(SQLiteError) -> Bool {
    try integer(
      "SELECT 1 FROM contrail_sync_change WHERE kind = ?1 AND sent <> 0 LIMIT 1",
      LocalChange.Kind.create.rawValue) != nil
  }

  /// Whether a record's object was deleted here, and the server has the record still.
  func isDeletedHere(_ record: Int64) throws(SQLiteError) -> Bool {
    for state in [ChangeRow.State.pending, .failed]
    where try change(of: record, state: state)?.change.kind == .delete { return true }
    return false
  }

  /// Whether the server has confirmed a record, or something waits to be sent of it.
  ///
  /// Objects that were to stay here when the server lost their records are unknown in that sense.
  func isKnown(_ record: Int64) throws(SQLiteError) -> Bool {
    for state in ChangeRow.State.allCases where try change(of: record, state: state) != nil {
      return true
    }
    return try integer("SELECT 1 FROM contrail_sync_base WHERE record = ?1", record) != nil
  }

  /// The number that the next change gets.
  func nextChangeNumber() throws(SQLiteError) -> Int64 {
    (try integer("SELECT max(number) FROM contrail_sync_change") ?? 0) + 1
  }

  /// Writes a change, over the one with its number if there is one.
  func put(_ row: ChangeRow) throws(SQLiteError) {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_sync_change (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, \
      ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
      """)
    statement.bind(1, row.number)
    statement.bind(2, row.record)
    statement.bind(3, row.count)
    statement.bind(4, row.change.isAnew ? Self.anew : row.change.kind.rawValue)
    if row.change.edits.isEmpty {
      statement.bindNull(5)
    } else {
      statement.bind(5, EditList.bytes(row.change.edits))
    }
    statement.bind(6, Int64(bitPattern: row.clock.rawValue))
    statement.bind(7, row.unit)
    statement.bind(8, row.last)
    let isOfUnifying = row.isOfUnifying && row.change.kind == .delete
    statement.bind(
      9,
      (row.change.mayHaveArrived ? Mark.mayHaveArrived : 0)
        | (isOfUnifying ? Mark.isOfUnifying : 0))
    statement.bind(10, row.state.rawValue)
    statement.bind(11, row.time)
    statement.bind(12, row.attempts)
    statement.bind(13, row.retry)
    if let code = row.code { statement.bind(14, code) } else { statement.bindNull(14) }
    if let reason = row.reason { statement.bind(15, reason) } else { statement.bindNull(15) }
    if let kept = row.kept { statement.bind(16, kept.json) } else { statement.bindNull(16) }
    try statement.run()
  }

  func deleteChange(_ number: Int64) throws(SQLiteError) {
    try run("DELETE FROM contrail_sync_change WHERE number = ?1", number)
  }

  /// Makes two units one: what is pending of either is sent together from now on.
  func join(_ one: Int64, _ other: Int64) throws(SQLiteError) {
    if one == other { return }
    try run(
      "UPDATE contrail_sync_change SET unit = ?1 WHERE state = 0 AND unit = ?2", min(one, other),
      max(one, other))
  }
}

/// Edits as a change's row holds them: names of fields with their clocks; the values are the object's.
///
/// A zero stands before one whose clock is inherited.
enum EditList {
  /// Zeros that stand before the length of a name, which is never zero: how many tells what is special about
  /// the edit.
  private enum Mark {
    static let inherited = 1
    static let restated = 2
  }

  /// The edits as bytes: of each the length of the name, the name, and the moment, its highest byte first.
  static func bytes(_ edits: [LocalEdit]) -> [UInt8] {
    var bytes: [UInt8] = []
    for edit in edits {
      let marks = (edit.isInherited ? Mark.inherited : 0) + (edit.isRestated ? Mark.restated : 0)
      bytes.append(contentsOf: repeatElement(0, count: marks))
      // Names have 255 bytes at most.
      bytes.append(UInt8(clamping: edit.name.utf8.count))
      bytes.append(contentsOf: edit.name.utf8.prefix(Int(UInt8.max)))
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: edit.clock.time.rawValue >> shift))
      }
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: edit.clock.device.rawValue >> shift))
      }
    }
    return bytes
  }

  /// Reads what `bytes` wrote; stops where it is damaged.
  static func edits(_ bytes: [UInt8]) -> [LocalEdit] {
    var edits: [LocalEdit] = []
    var rest = bytes[...]
    while true {
      let marks = rest.prefix { $0 == 0 }.count
      guard let length = rest.dropFirst(marks).first else { return edits }
      rest = rest.dropFirst(marks + 1)
      guard rest.count >= Int(length) + 16 else { return edits }
      let name = String(decoding: rest.prefix(Int(length)), as: UTF8.self)
      rest = rest.dropFirst(Int(length))
      let time = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      let device = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      var edit = LocalEdit(
        name, .null, FieldClock(HybridTime(rawValue: time), DeviceNumber(rawValue: device)))
      edit.isInherited = marks & Mark.inherited != 0
      edit.isRestated = marks & Mark.restated != 0
      edits.append(edit)
    }
  }
}
