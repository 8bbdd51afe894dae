import SQLiteDriver
import SyncCore

// New records stand in runs, until something happens to one of them.
extension SyncRows {
  /// The pending change of one record, cut out of its run if it was in one.
  ///
  /// NB: looked up each time, since cutting a run makes rows that were read before it worthless.
  func ownChange(of record: Int64) throws(SQLiteError) -> ChangeRow? {
    guard let row = try change(of: record, state: .pending) else { return nil }
    return try single(record, of: row)
  }

  /// The part of a run that is one record, as a row of its own; the run is cut around it.
  func single(_ record: Int64, of row: ChangeRow) throws(SQLiteError) -> ChangeRow {
    try part(from: record, count: 1, of: row)
  }

  /// Notes that pending changes of records, which stand in the order of their numbers where they are runs,
  /// may have arrived from now on.
  func noteSent(_ records: [Int64]) throws(SQLiteError) {
    var rest = records[...]
    while let first = rest.popFirst() {
      guard let row = try change(of: first, state: .pending) else { continue }
      var count: Int64 = 1
      while let next = rest.first, next == first + count, next < row.record + row.count {
        count += 1
        rest.removeFirst()
      }
      if row.change.mayHaveArrived { continue }
      var own = try part(from: first, count: count, of: row)
      own.change.mayHaveArrived = true
      try put(own)
    }
  }

  /// Some records of a run, as a row of their own; the run is cut around them.
  private func part(
    from record: Int64, count: Int64, of row: ChangeRow
  ) throws(SQLiteError) -> ChangeRow {
    if row.count == count { return row }
    var (before, own, after) = (row, row, row)
    before.count = record - row.record
    (own.record, own.count) = (record, count)
    (after.record, after.count) = (record + count, row.count - before.count - count)
    try deleteChange(row.number)
    var number = row.number
    for (part, isOwn) in [(before, false), (own, true), (after, false)] where part.count > 0 {
      var part = part
      part.number = number
      if isOwn { own.number = number }
      try put(part)
      number = try nextChangeNumber()
    }
    return own
  }
}
