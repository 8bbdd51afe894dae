import SQLiteDriver

/// A record that this store has to do with.
struct RecordRow: Hashable {
  /// What the record is here.
  enum Owner: Hashable {
    /// An object: the number of its entity, and its key.
    case object(entity: Int, key: Int64)
    /// A pair of a many-to-many relationship: the number of its property, and the keys of both ends.
    case pair(property: Int, source: Int64, target: Int64)
    /// Nothing: it is of a type, or of a version, that this program does not know.
    case none
  }

  var number: Int64
  var zone: Int64
  var name: String
  var type: String
  var owner: Owner
  /// The refetch in which it was seen last.
  var pass: Int64 = 0
}

extension RecordRow.Owner {
  var columns: (owner: Int64, key: Int64, far: Int64) {
    switch self {
    case .object(let entity, let key): (Int64(entity), key, 0)
    case .pair(let property, let source, let target): (-Int64(property), source, target)
    case .none: (0, 0, 0)
    }
  }

  init(owner: Int64, key: Int64, far: Int64) {
    if owner > 0 {
      self = .object(entity: Int(clamping: owner), key: key)
    } else if owner < 0 {
      self = .pair(property: Int(clamping: -owner), source: key, target: far)
    } else {
      self = .none
    }
  }
}

extension SyncRows {
  private static let columns = "number, zone, name, type, owner, key, far, pass"

  private func row(_ statement: Statement) -> RecordRow {
    RecordRow(
      number: statement.integer(0), zone: statement.integer(1), name: statement.text(2),
      type: statement.text(3),
      owner: RecordRow.Owner(
        owner: statement.integer(4), key: statement.integer(5), far: statement.integer(6)),
      pass: statement.integer(7))
  }

  func record(named name: String, zone: Int64) throws(SQLiteError) -> RecordRow? {
    let statement = try connection.statement(
      "SELECT \(Self.columns) FROM contrail_sync_record WHERE name = ?1 AND zone = ?2")
    defer { statement.reset() }
    statement.bind(1, name)
    statement.bind(2, zone)
    return try statement.step() ? row(statement) : nil
  }

  func record(number: Int64) throws(SQLiteError) -> RecordRow? {
    let statement = try connection.statement(
      "SELECT \(Self.columns) FROM contrail_sync_record WHERE number = ?1")
    defer { statement.reset() }
    statement.bind(1, number)
    return try statement.step() ? row(statement) : nil
  }

  func record(of owner: RecordRow.Owner) throws(SQLiteError) -> RecordRow? {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns) FROM contrail_sync_record \
      WHERE key = ?2 AND owner = ?1 AND far = ?3 AND owner <> 0
      """)
    defer { statement.reset() }
    let columns = owner.columns
    statement.bind(1, columns.owner)
    statement.bind(2, columns.key)
    statement.bind(3, columns.far)
    return try statement.step() ? row(statement) : nil
  }

  /// The records with numbers from `first` on, `count` at most.
  func records(from first: Int64, count: Int64) throws(SQLiteError) -> [RecordRow] {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns) FROM contrail_sync_record WHERE number >= ?1 AND number < ?2 \
      ORDER BY number
      """)
    defer { statement.reset() }
    statement.bind(1, first)
    statement.bind(2, first &+ count)
    var rows: [RecordRow] = []
    while try statement.step() { rows.append(row(statement)) }
    return rows
  }

  /// The numbers of a zone's records in a range, in order.
  func recordNumbers(in range: Range<Int64>, zone: Int64) throws(SQLiteError) -> [Int64] {
    let statement = try connection.statement(
      "SELECT number FROM contrail_sync_record WHERE number >= ?1 AND number < ?2 AND zone = ?3 ORDER BY number"
    )
    defer { statement.reset() }
    statement.bind(1, range.lowerBound)
    statement.bind(2, range.upperBound)
    statement.bind(3, zone)
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return numbers
  }

  /// The records of the pairs that an object is in, at either end.
  func pairRecords(property: Int, key: Int64, isSource: Bool) throws(SQLiteError) -> [RecordRow] {
    let statement = try connection.statement(
      isSource
        ? "SELECT \(Self.columns) FROM contrail_sync_record WHERE key = ?2 AND owner = ?1 AND owner <> 0"
        : "SELECT \(Self.columns) FROM contrail_sync_record WHERE far = ?2 AND owner = ?1 AND owner < 0"
    )
    defer { statement.reset() }
    statement.bind(1, -Int64(property))
    statement.bind(2, key)
    var rows: [RecordRow] = []
    while try statement.step() { rows.append(row(statement)) }
    return rows
  }

  /// The number that the next record gets.
  func nextRecordNumber() throws(SQLiteError) -> Int64 {
    (try integer("SELECT max(number) FROM contrail_sync_record") ?? 0) + 1
  }

  func insert(_ row: RecordRow) throws(SQLiteError) {
    let statement = try connection.statement(
      """
      INSERT INTO contrail_sync_record (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    let owner = row.owner.columns
    statement.bind(1, row.number)
    statement.bind(2, row.zone)
    statement.bind(3, row.name)
    statement.bind(4, row.type)
    statement.bind(5, owner.owner)
    statement.bind(6, owner.key)
    statement.bind(7, owner.far)
    statement.bind(8, row.pass)
    try statement.run()
  }

  func setOwner(_ owner: RecordRow.Owner, of record: Int64) throws(SQLiteError) {
    let columns = owner.columns
    try run(
      "UPDATE contrail_sync_record SET owner = ?2, key = ?3, far = ?4 WHERE number = ?1", record,
      columns.owner, columns.key, columns.far)
    if owner == .none {
      try forgetAwaitedFiles(of: record)
      try forgetEarlierValues(of: record)
    }
  }

  func setPass(_ pass: Int64, of record: Int64) throws(SQLiteError) {
    try run("UPDATE contrail_sync_record SET pass = ?2 WHERE number = ?1", record, pass)
  }

  /// Forgets a record; its changes are the caller's.
  func deleteRecord(_ number: Int64) throws(SQLiteError) {
    try run("DELETE FROM contrail_sync_record WHERE number = ?1", number)
    try run("DELETE FROM contrail_sync_waiting WHERE record = ?1", number)
    try run("DELETE FROM contrail_sync_file WHERE record = ?1", number)
    try forgetAwaitedFiles(of: number)
    try forgetEarlierValues(of: number)
  }
}
