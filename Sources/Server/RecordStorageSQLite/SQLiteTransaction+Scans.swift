import DataModel
import RecordServer
import SQLiteDriver

// Reading by indexes.
extension SQLiteTransaction {
  func scan(_ scan: IndexScan, in key: ZoneKey, limit: Int) throws -> [IndexedRow] {
    let zone = try live(key)
    let scan = scan.withoutIdleStart
    guard let slot = try slotNumber(scan.slot) else { return [] }
    let statement = try connection.statement(ScanSQL.rows(scan))
    defer { statement.reset() }
    statement.bind(scan, slot, zone.number, limit)
    var rows: [IndexedRow] = []
    while try statement.step() {
      rows.append(IndexedRow(statement.bytes(ScanSQL.valueColumn), RecordRow(statement)))
    }
    return rows
  }

  func count(_ scan: IndexScan, in key: ZoneKey, limit: Int) throws -> Int {
    let zone = try live(key)
    guard let slot = try slotNumber(scan.slot) else { return 0 }
    let statement = try connection.statement(ScanSQL.count)
    defer { statement.reset() }
    var whole = scan
    whole.start = nil
    statement.bind(whole, slot, zone.number, limit)
    return try statement.step() ? Int(clamping: statement.integer(0)) : 0
  }

  func records(
    ofType type: String, in key: ZoneKey, from start: IndexScan.Place?, isDescending: Bool,
    limit: Int
  ) throws -> [RecordRow] {
    let zone = try live(key)
    let statement = try connection.statement(
      ScanSQL.names(start: start, isDescending: isDescending))
    defer { statement.reset() }
    statement.bind(1, zone.number)
    statement.bind(2, type)
    statement.bind(3, Int64(max(0, limit)))
    if let start { statement.bind(4, start.name) }
    var rows: [RecordRow] = []
    while try statement.step() { rows.append(RecordRow(statement)) }
    return rows
  }
}

/// The statements of scans: a few texts, so that they are prepared once.
enum ScanSQL {
  private static let columns = SQLiteTransaction.recordColumns.split(separator: ", ")
    .map { "r.\($0)" }.joined(separator: ", ")
  /// The column of the entry's value, behind those of the record.
  static let valueColumn = SQLiteTransaction.recordColumnCount

  static func rows(_ scan: IndexScan) -> String {
    rows(
      isDescending: scan.isDescending, hasStart: scan.start != nil,
      isIncluded: scan.start?.isIncluded ?? false)
  }

  static func rows(isDescending: Bool, hasStart: Bool, isIncluded: Bool) -> String {
    let word = isDescending ? " DESC" : ""
    // The place where it begins stands for that bound: with both, SQLite would seek the value alone.
    let start = " AND (e.value, e.name) \(comparison(isDescending, isIncluded)) (?6, ?7)"
    let lower = hasStart && !isDescending ? start : " AND e.value >= ?3"
    let upper = hasStart && isDescending ? start : " AND e.value < ?4"
    return """
      SELECT \(columns), e.value FROM index_entry AS e CROSS JOIN record AS r ON r.number = e.record \
      WHERE e.slot = ?1 AND e.zone = ?2\(lower)\(upper) \
      ORDER BY e.value\(word), e.name\(word) LIMIT ?5
      """
  }

  static let count = """
    SELECT count(*) FROM (SELECT 1 FROM index_entry \
    WHERE slot = ?1 AND zone = ?2 AND value >= ?3 AND value < ?4 LIMIT ?5)
    """

  static func names(start: IndexScan.Place?, isDescending: Bool) -> String {
    let bound = start.map { " AND name \(comparison(isDescending, $0.isIncluded)) ?4" } ?? ""
    return """
      SELECT \(SQLiteTransaction.recordColumns) FROM record \
      WHERE zone = ?1 AND +type = ?2 AND NOT is_deleted\(bound) \
      ORDER BY name\(isDescending ? " DESC" : "") LIMIT ?3
      """
  }

  private static func comparison(_ isDescending: Bool, _ isIncluded: Bool) -> String {
    (isDescending ? "<" : ">") + (isIncluded ? "=" : "")
  }
}

extension IndexScan {
  /// The scan without a place to begin at where that comes before its range, which then begins it.
  fileprivate var withoutIdleStart: IndexScan {
    guard let value = start?.value else { return self }
    let isIdle =
      isDescending
      ? !value.lexicographicallyPrecedes(range.upper)
      : value.lexicographicallyPrecedes(range.lower)
    guard isIdle else { return self }
    var scan = self
    scan.start = nil
    return scan
  }
}

extension Statement {
  fileprivate func bind(_ scan: IndexScan, _ slot: Int64, _ zone: Int64, _ limit: Int) {
    bind(1, slot)
    bind(2, zone)
    bind(3, scan.range.lower)
    bind(4, scan.range.upper)
    bind(5, Int64(max(0, limit)))
    guard let start = scan.start else { return }
    bind(6, start.value)
    bind(7, start.name)
  }
}
