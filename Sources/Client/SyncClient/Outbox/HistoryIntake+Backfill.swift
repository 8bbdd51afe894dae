import DataModel
import FoundationEssentials
import ObjectStore
import SQLiteDriver

extension HistoryIntake {
  /// Takes in some of the objects that were there before sync.
  ///
  /// Nobody knows which of them were made together, so each part is sent as it comes.
  mutating func advanceBackfill(at time: Date) throws {
    guard var backfill = try rows.nextBackfill() else { return }
    guard let type = objects.objectType(number: backfill.entity) else {
      return try rows.endBackfill(entity: backfill.entity)
    }
    let keys = try type.keys(
      from: backfill.next, to: backfill.last, limit: Self.objectsMax, rows.connection)
    for run in try consecutiveRuns(keys, entity: backfill.entity) {
      try takeInserts(
        HistoryRun(
          transaction: try rows.nextBackfillUnit(), time: time, author: nil, change: 0,
          kind: .insert, entity: backfill.entity, key: run.lowerBound, count: Int64(run.count),
          properties: []), type)
    }
    if Int64(keys.count) < Self.objectsMax {
      try rows.endBackfill(entity: backfill.entity)
    } else {
      backfill.next = (keys.last ?? backfill.last) + 1
      try rows.setBackfill(backfill)
    }
  }

  /// Takes in the pairs that were there before sync, once all their ends have records.
  mutating func takeAllPairs(at time: Date) throws {
    for edges in objects.edgeTypes {
      var sources: Set<Int64> = []
      try edges.forEachPair(in: rows.connection) { sources.insert($0.source.key) }
      for key in sources.sorted() {
        let run = HistoryRun(
          transaction: try rows.nextBackfillUnit(), time: time, author: nil, change: 0,
          kind: .update, entity: edges.sourceLayout.number, key: key, count: 1, properties: [])
        try takePairs(edges, of: key, at: edges.isFlipped ? .target : .source, run)
      }
    }
  }

  /// Keys without records, as runs of keys that follow each other.
  private func consecutiveRuns(_ keys: [Int64], entity: Int) throws -> [ClosedRange<Int64>] {
    var runs: [ClosedRange<Int64>] = []
    for key in keys where try rows.record(of: .object(entity: entity, key: key)) == nil {
      if let last = runs.last, last.upperBound + 1 == key {
        runs[runs.count - 1] = last.lowerBound...key
      } else {
        runs.append(key...key)
      }
    }
    return runs
  }
}

extension SyncRows {
  /// A unit for objects that were there before sync; below all numbers of transactions, so that they go
  /// first.
  func nextBackfillUnit() throws(SQLiteError) -> Int64 {
    var first: Int64 = 0
    // State by state, each is the first of an index.
    for state in ChangeRow.State.allCases {
      let unit = try integer(
        "SELECT min(unit) FROM contrail_sync_change WHERE state = ?1", state.rawValue)
      first = min(first, unit ?? 0)
    }
    return first - 1
  }
}

extension ObjectType {
  /// The highest key of the entity's objects; nil where there are none.
  func lastKey(_ connection: Connection) throws(SQLiteError) -> Int64? {
    let statement = try connection.statement("SELECT max(_id) \(layout.fromSQL)")
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
  }

  /// The keys of the entity's objects between two, in order, `limit` at most.
  func keys(
    from first: Int64, to last: Int64, limit: Int64, _ connection: Connection
  ) throws(SQLiteError) -> [Int64] {
    let joiner = layout.sharesTable ? "AND" : "WHERE"
    let statement = try connection.statement(
      "SELECT _id \(layout.fromSQL) \(joiner) _id >= ?1 AND _id <= ?2 ORDER BY _id LIMIT ?3")
    defer { statement.reset() }
    statement.bind(1, first)
    statement.bind(2, last)
    statement.bind(3, limit)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys
  }

  /// The keys of the entity's objects that no record stands for, in order.
  func keysWithoutRecords(_ connection: Connection) throws(SQLiteError) -> [Int64] {
    let joiner = layout.sharesTable ? "AND" : "WHERE"
    let statement = try connection.statement(
      """
      SELECT _id \(layout.fromSQL) \(joiner) NOT EXISTS (SELECT 1 FROM contrail_sync_record \
      WHERE key = _id AND owner = ?1 AND far = 0 AND owner <> 0) ORDER BY _id
      """)
    defer { statement.reset() }
    statement.bind(1, Int64(layout.number))
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys
  }

}

extension EntityLayout {
  /// Where the rows of the entity's own objects are.
  fileprivate var fromSQL: String {
    let table = "FROM \(StoreLayout.sqlName(table))"
    return sharesTable ? "\(table) WHERE _entity = \(number)" : table
  }
}

extension SyncRows {
  /// How many objects were there before sync and are still to be taken in; those that are deleted by now
  /// do not count.
  func backfillCount(_ layout: StoreLayout) throws(SQLiteError) -> Int64 {
    let statement = try connection.statement(
      "SELECT entity, next, last FROM contrail_sync_backfill ORDER BY entity")
    var left: [Backfill] = []
    while try statement.step() {
      left.append(
        Backfill(
          entity: Int(clamping: statement.integer(0)), next: statement.integer(1),
          last: statement.integer(2)))
    }
    statement.reset()
    var count: Int64 = 0
    for backfill in left {
      guard let entity = layout.entity(number: backfill.entity) else { continue }
      let joiner = entity.sharesTable ? "AND" : "WHERE"
      count +=
        try integer(
          "SELECT count(*) \(entity.fromSQL) \(joiner) _id >= ?1 AND _id <= ?2", backfill.next,
          backfill.last) ?? 0
    }
    return count
  }
}
