import SQLiteDriver

/// The newest transactions as contexts need to know them, read from history.
struct HistoryTail {
  /// How many rows of changes are read one by one; beyond that everything is to be read again.
  static let rowsMax = 100_000

  /// The number of the newest transaction.
  var newest: Int64
  /// What was changed, in the order of the commits.
  var sets: [ChangeSet] = []

  /// Reads the transactions behind `last` and below `end`; `connection` has to be within a snapshot.
  static func read(
    _ connection: Connection, after last: Int64?, below end: Int64 = .max
  ) throws(SQLiteError) -> HistoryTail {
    let bounds = try HistoryBounds.read(connection)
    var tail = HistoryTail(newest: min(bounds.newest, end - 1))
    guard let last, last <= tail.newest else { return tail.unknown() }
    if last == tail.newest { return tail }
    if bounds.oldest > last + 1 { return tail.unknown() }
    let transactions = try connection.statement(
      """
      SELECT t.number, a.text, t.first_change, t.first_change + t.change_count \
      FROM contrail_transaction AS t LEFT JOIN contrail_name AS a ON a.number = t.author \
      WHERE t.number > ?1 AND t.number < ?2 ORDER BY t.number
      """)
    defer { transactions.reset() }
    transactions.bind(1, last)
    transactions.bind(2, end)
    var room = rowsMax
    while try transactions.step() {
      var set = ChangeSet(
        transaction: transactions.integer(0),
        author: transactions.isNull(1) ? nil : transactions.text(1))
      try set.read(connection, transactions.integer(2), transactions.integer(3), &room)
      if room < 0 { return tail.unknown() }
      tail.sets.append(set)
    }
    return tail
  }

  /// One set that says that anything may have changed.
  private func unknown() -> HistoryTail {
    HistoryTail(newest: newest, sets: [.unknown(newest)])
  }
}

extension ChangeSet {
  /// The same changes, said to be another process's: they were found in the file.
  var fromOtherProcess: ChangeSet {
    var set = self
    set.origin = .otherProcess
    return set
  }

  /// The changes up to a transaction, of which nothing more is known.
  static func unknown(_ transaction: Int64) -> ChangeSet {
    var set = ChangeSet(transaction: transaction, author: nil)
    set.isUnknown = true
    return set
  }

  /// Adds the changes with numbers from `first` to below `end`, as long as there is room.
  fileprivate mutating func read(
    _ connection: Connection, _ first: Int64, _ end: Int64, _ room: inout Int
  ) throws(SQLiteError) {
    let rows = try connection.statement(
      """
      SELECT kind, entity, key, count, properties FROM contrail_change \
      WHERE number >= ?1 AND number < ?2 ORDER BY number
      """)
    defer { rows.reset() }
    rows.bind(1, first)
    rows.bind(2, end)
    while try rows.step() {
      room -= 1
      if room < 0 { return }
      let entity = Int(clamping: rows.integer(1))
      let key = rows.integer(2)
      switch ChangeKind(rawValue: rows.integer(0)) {
      case .insert:
        let believed = 1...HistoryBounds.numberMax
        guard believed.contains(key), believed.contains(rows.integer(3)) else {
          isUnknown = true
          continue
        }
        inserted(entity, key, rows.integer(3))
      case .update: updated(entity, key, PropertyList.numbers(rows.bytes(4)))
      case .delete: deleted(entity, key)
      // A newer version of Contrail may know more kinds.
      case nil: isUnknown = true
      }
    }
  }
}
