import DataModel
import SQLiteDriver

/// Writes the search index: one batch of objects in each transaction, with the position reached.
struct SearchIndex {
  /// How many objects one transaction takes in at most, so that no save waits for long.
  static let batchMax = 256

  let plan: SearchPlan
  let connection: Connection

  /// Takes in the next batch; false when there is nothing left to do.
  ///
  /// Runs in a transaction.
  func advance(time: Double) throws(SQLiteError) -> Bool {
    let position = try SearchPosition.read(connection)
    if plan.isEmpty {
      if position != nil { try Self.remove(connection) }
      return false
    }
    guard var position, position.signature == plan.signature,
      try position.isReachable(connection)
    else {
      try begin(time: time)
      return true
    }
    let isMore =
      if let filling = position.filling {
        try fill(filling, &position)
      } else {
        try follow(&position)
      }
    if isMore { try position.write(connection, time: time) }
    return isMore
  }

  /// Makes an empty index, to be filled from the objects; what changes from now on is read from history.
  func begin(time: Double) throws(SQLiteError) {
    try Self.remove(connection)
    // 'unicode61' splits at what is neither letter nor number, and folds case and accents. The beginnings
    // of two and three characters have indexes of their own: https://www.sqlite.org/fts5.html
    try connection.execute(
      """
      CREATE VIRTUAL TABLE contrail_search USING fts5(\(plan.columns.joined(separator: ", ")), \
      tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')
      """)
    let position = SearchPosition(
      signature: plan.signature, change: try SearchPosition.lastChange(connection),
      filling: SearchPosition.Filling(entity: 0, key: 0))
    try position.write(connection, time: time)
  }

  /// Removes the index, which the next search makes anew.
  static func remove(_ connection: Connection) throws(SQLiteError) {
    try connection.execute("DROP TABLE IF EXISTS contrail_search")
    try SearchPosition.remove(connection)
  }

  /// Takes in the objects that follow in the order of root entities and keys.
  private func fill(
    _ filling: SearchPosition.Filling, _ position: inout SearchPosition
  ) throws(SQLiteError) -> Bool {
    let roots = plan.roots.sorted { $0.number < $1.number }
    guard let root = roots.first(where: { Int64($0.number) >= filling.entity }) else {
      position.filling = nil
      return true
    }
    let after = Int64(root.number) == filling.entity ? filling.key : 0
    let statement = try connection.statement(
      "SELECT _id FROM \(quoted(root.table)) WHERE _id > ?1 ORDER BY _id LIMIT \(Self.batchMax)")
    statement.bind(1, after)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    statement.reset()
    if let last = keys.last {
      try take(keys, of: root)
      position.filling = SearchPosition.Filling(entity: Int64(root.number), key: last)
    } else {
      position.filling = SearchPosition.Filling(entity: Int64(root.number) + 1, key: 0)
    }
    return true
  }

  /// Takes in the objects of the next changes in history, as they are now.
  private func follow(_ position: inout SearchPosition) throws(SQLiteError) -> Bool {
    let statement = try connection.statement(
      """
      SELECT number, kind, entity, key, count, properties FROM contrail_change \
      WHERE number >= ifnull((SELECT max(number) FROM contrail_change WHERE number <= ?1), 0) \
      ORDER BY number LIMIT \(Self.changesMax)
      """)
    statement.bind(1, position.change + 1)
    let start = position.change
    var objects = ChangedObjects()
    while try statement.step() {
      // A run may have been taken in in part, in an earlier batch.
      let number = statement.integer(0)
      let count = statement.integer(4)
      let believed = 1...HistoryBounds.numberMax
      guard believed.contains(number), believed.contains(count),
        believed.contains(statement.integer(3))
      else { throw SQLiteError.damagedHistory("change \(number)") }
      let skipped = max(0, position.change + 1 - number)
      let left = count - skipped
      if left <= 0 { continue }
      let room = Int64(Self.batchMax - objects.count)
      if room <= 0 { break }
      let taken = min(left, room)
      position.change = number + skipped + taken - 1
      guard matters(statement), let root = root(Int(clamping: statement.integer(2))) else {
        // Nothing to take in: the whole run is done.
        position.change = number + statement.integer(4) - 1
        continue
      }
      let first = statement.integer(3) + skipped
      for key in first..<(first + taken) { objects.note(root.index, key) }
    }
    statement.reset()
    for (root, keys) in objects.keys { try take(keys, of: plan.layout.entities[root]) }
    return position.change > start
  }

  /// How many changes one batch looks at; most of them may be of no consequence.
  private static let changesMax = 4096

  private func root(_ number: Int) -> EntityLayout? {
    guard let entity = plan.layout.entity(number: number), !plan.slots[entity.index].isEmpty else {
      return nil
    }
    return plan.layout.entities[entity.root]
  }

  private func matters(_ statement: Statement) -> Bool {
    guard statement.integer(1) == ChangeKind.update.rawValue else { return true }
    return PropertyList.numbers(statement.bytes(5)).contains(where: plan.properties.contains)
  }

  private struct ChangedObjects {
    private(set) var keys: [Int: [Int64]] = [:]
    private var seen: [Int: Set<Int64>] = [:]
    private(set) var count = 0

    mutating func note(_ root: Int, _ key: Int64) {
      guard seen[root, default: []].insert(key).inserted else { return }
      keys[root, default: []].append(key)
      count += 1
    }
  }
}

extension SearchIndex {
  /// Brings the index up to what these objects are now, whether they are new, changed or gone.
  func take(_ keys: [Int64], of root: EntityLayout) throws(SQLiteError) {
    let columns = plan.columns
    let parameters = columns.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    let insert = try connection.statement(
      """
      INSERT OR REPLACE INTO contrail_search (rowid, \(columns.joined(separator: ", "))) \
      VALUES (?1, \(parameters))
      """)
    let delete = try connection.statement("DELETE FROM contrail_search WHERE rowid = ?1")
    var gone = Set(keys)
    let family = FamilySQL(root, plan.layout.entities)
    let select = try connection.statement(family.selectMany)
    select.bind(1, "[\(keys.map(String.init).joined(separator: ","))]")
    while try select.step() {
      let key = select.integer(0)
      let (layout, row) = family.row(select)
      defer { row.free(layout) }
      guard let number = plan.row(root, key) else { continue }
      let texts = texts(layout, row)
      if texts.allSatisfy({ $0 == nil }) { continue }
      gone.remove(key)
      insert.bind(1, number)
      for (index, text) in texts.enumerated() {
        if let text {
          insert.bind(Int32(index + 2), text)
        } else {
          insert.bindNull(Int32(index + 2))
        }
      }
      try insert.run()
    }
    select.reset()
    for key in gone.sorted() {
      guard let number = plan.row(root, key) else { continue }
      delete.bind(1, number)
      try delete.run()
    }
  }

  /// The texts of an object, by the index's columns.
  private func texts(_ layout: EntityLayout, _ row: Row) -> [String?] {
    var texts = [String?](repeating: nil, count: plan.columnCount)
    for (place, slot) in plan.slots[layout.index].enumerated() where row.isPresent(slot) {
      let column = min(place, plan.columnCount - 1)
      let text = row.text(slot, layout)
      texts[column] = texts[column].map { "\($0)\n\(text)" } ?? text
    }
    return texts
  }
}
