import DataModel
package import FoundationEssentials
package import SQLiteDriver

/// Changes of one kind, one after the other, as history keeps them: inserts in runs, others one by one.
package struct HistoryRun: Sendable, Hashable {
  /// The transaction's number.
  package var transaction: Int64
  /// When the transaction was begun.
  package var time: Date
  /// Who made it.
  package var author: String?
  /// The number of the first change; each object has the next one.
  package var change: Int64
  /// What was done.
  package var kind: ChangeKind
  /// The entity's number in the store's catalogue.
  package var entity: Int
  /// The key of the first object; each object has the next one.
  package var key: Int64
  /// How many objects there are.
  package var count: Int64
  /// The numbers of the properties that an update changed.
  package var properties: [Int]

  /// Describes changes.
  package init(
    transaction: Int64, time: Date, author: String?, change: Int64, kind: ChangeKind, entity: Int,
    key: Int64, count: Int64, properties: [Int]
  ) {
    self.transaction = transaction
    self.time = time
    self.author = author
    self.change = change
    self.kind = kind
    self.entity = entity
    self.key = key
    self.count = count
    self.properties = properties
  }
}

/// A place in history within a transaction.
package struct HistoryCursor: Sendable, Hashable {
  /// The transaction that is read, or was read to its end.
  package var transaction: Int64
  /// The number of the change that is next.
  package var change: Int64

  /// Names a place.
  package init(transaction: Int64, change: Int64) {
    self.transaction = transaction
    self.change = change
  }
}

extension Connection {
  /// The place behind all that was committed so far.
  package func newestHistory() throws(SQLiteError) -> HistoryCursor {
    let statement = try statement(
      """
      SELECT number, first_change + change_count FROM contrail_transaction \
      ORDER BY number DESC LIMIT 1
      """)
    defer { statement.reset() }
    guard try statement.step() else { return HistoryCursor(transaction: 0, change: 0) }
    return HistoryCursor(transaction: statement.integer(0), change: statement.integer(1))
  }

  /// Hands the changes from `cursor` on to `body`, in their order, with `objectsMax` objects at most;
  /// returns where to go on, and whether nothing is left.
  ///
  /// Quicker than `Store.history`, since nothing is named and runs stay runs: one that is too long is
  /// handed out in parts.
  package func readHistory(
    from cursor: HistoryCursor, objectsMax: Int64, _ body: (HistoryRun) throws -> Void
  ) throws -> (next: HistoryCursor, isAtEnd: Bool) {
    var cursor = cursor
    var room = objectsMax
    let transactions = try statement(
      """
      SELECT t.number, t.time, a.text, t.first_change, t.change_count \
      FROM contrail_transaction AS t LEFT JOIN contrail_name AS a ON a.number = t.author \
      WHERE t.number >= ?1 ORDER BY t.number
      """)
    defer { transactions.reset() }
    transactions.bind(1, cursor.transaction)
    while try transactions.step() {
      let end = transactions.integer(3) &+ transactions.integer(4)
      cursor.change = max(cursor.change, transactions.integer(3))
      cursor.transaction = transactions.integer(0)
      if cursor.change >= end { continue }
      guard room > 0 else { return (cursor, false) }
      try readRuns(transactions, to: end, &cursor, &room, body)
      if cursor.change < end { return (cursor, false) }
    }
    return (cursor, true)
  }

  private func readRuns(
    _ header: Statement, to end: Int64, _ cursor: inout HistoryCursor, _ room: inout Int64,
    _ body: (HistoryRun) throws -> Void
  ) throws {
    let statement = try statement(
      """
      SELECT number, kind, entity, key, count, properties FROM contrail_change \
      WHERE number >= ifnull((SELECT max(number) FROM contrail_change WHERE number <= ?1), ?1) \
      AND number < ?2 ORDER BY number
      """)
    defer { statement.reset() }
    statement.bind(1, cursor.change)
    statement.bind(2, end)
    while room > 0, try statement.step() {
      let (first, count) = (statement.integer(0), statement.integer(4))
      let skipped = max(0, cursor.change - first)
      if skipped >= count { continue }
      guard let kind = ChangeKind(rawValue: statement.integer(1)) else {
        throw StoreError(
          .corrupt, "change \(first)", "is of a kind that this version of Contrail does not know")
      }
      let part = min(room, count - skipped)
      try body(
        HistoryRun(
          transaction: header.integer(0),
          time: Date(timeIntervalSinceReferenceDate: header.double(1)),
          author: header.isNull(2) ? nil : header.text(2), change: first + skipped, kind: kind,
          entity: Int(clamping: statement.integer(2)), key: statement.integer(3) + skipped,
          count: part,
          properties: kind == .update ? PropertyList.numbers(statement.bytes(5)) : []))
      room -= part
      cursor.change = first + skipped + part
    }
  }
}
