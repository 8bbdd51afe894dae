import SQLiteDriver

/// What replaying a store's history found.
public struct HistoryReport: Sendable, Hashable {
  /// How many transactions were replayed.
  public var transactions: Int64 = 0
  /// How many changes they had.
  public var changes: Int64 = 0
  /// How many objects the store has.
  public var objects: Int64 = 0
  /// Whether nothing was purged, so that the replay began with an empty store.
  public var isComplete = true
  /// What is wrong, the first `problemsMax` of it; none where history and objects agree.
  public var problems: [StoreError] = []

  /// How many problems are told one by one.
  public static let problemsMax = 100
}

extension Store {
  /// Replays history and compares: numbers have no gaps, and what was inserted and not deleted is
  /// exactly what the tables have.
  ///
  /// After a purge only what is left of history can be compared.
  public func verifyHistory() throws -> HistoryReport {
    try read { connection in
      try connection.snapshot {
        var check = HistoryCheck(layout)
        try check.replay(connection)
        try check.compare(connection)
        return check.report
      }
    }
  }
}

/// Replays history into sets of keys, and holds the tables against them.
struct HistoryCheck {
  /// The most objects in a run that are believed: a damaged number must not keep the check busy.
  static let runMax: Int64 = 1_000_000_000

  private(set) var report = HistoryReport()
  private let layout: StoreLayout
  /// By the numbers of entities: keys that were inserted and not deleted, and those that were deleted.
  private var live: [Int: KeySet] = [:]
  private var dead: [Int: KeySet] = [:]

  init(_ layout: StoreLayout) { self.layout = layout }

  private mutating func note(_ subject: String, _ message: String) {
    if report.problems.count < HistoryReport.problemsMax {
      report.problems.append(StoreError(.corrupt, subject, message))
    }
  }

  mutating func replay(_ connection: Connection) throws {
    let bounds = try HistoryBounds.read(connection)
    report.isComplete = bounds.oldest == 1
    let transactions = try connection.statement(
      "SELECT number, first_change, change_count FROM contrail_transaction ORDER BY number")
    defer { transactions.reset() }
    var next = (number: bounds.oldest, change: Int64?.none)
    if report.isComplete { next.change = 1 }
    while try transactions.step() {
      let (number, first, count) = (
        transactions.integer(0), transactions.integer(1), transactions.integer(2)
      )
      if number != next.number {
        note("transaction \(next.number)", "is missing: the next one is \(number)")
      }
      if let expected = next.change, expected != first {
        note("transaction \(number)", "begins with change \(first), not with \(expected)")
      }
      if count < 1 { note("transaction \(number)", "has no changes") }
      try replay(transaction: number, first, count, connection)
      next = (number &+ 1, first &+ count)
      report.transactions += 1
      report.changes &+= count
    }
    try checkEnds(connection)
  }

  private mutating func replay(
    transaction: Int64, _ first: Int64, _ count: Int64, _ connection: Connection
  ) throws {
    let changes = try connection.statement(
      """
      SELECT number, kind, entity, key, count FROM contrail_change WHERE number >= ?1 \
      AND number < ?2 ORDER BY number
      """)
    defer { changes.reset() }
    changes.bind(1, first)
    changes.bind(2, first &+ count)
    var next = first
    while try changes.step() {
      let number = changes.integer(0)
      if number != next {
        note(
          "change \(next)", "is missing in transaction \(transaction): the next one is \(number)")
      }
      let kind = ChangeKind(rawValue: changes.integer(1))
      let entity = Int(clamping: changes.integer(2))
      replay(number, kind, entity, changes.integer(3), changes.integer(4))
      next = number &+ changes.integer(4)
    }
    if next != first &+ count {
      note(
        "transaction \(transaction)",
        "has changes up to \(next &- 1), not to \(first &+ count &- 1)")
    }
  }

  private mutating func replay(
    _ number: Int64, _ kind: ChangeKind?, _ entity: Int, _ key: Int64, _ count: Int64
  ) {
    let object = "\(name(entity)) \(key)"
    guard let kind, count >= 1, kind == .insert || count == 1, count <= Self.runMax,
      !key.addingReportingOverflow(count).overflow
    else { return note("change \(number)", "cannot be read") }
    let isKnown = live[entity]?.contains(key) == true
    switch kind {
    case .insert:
      for key in key..<key + count {
        if !live[entity, default: KeySet()].insert(key) {
          note("\(name(entity)) \(key)", "is inserted again by change \(number)")
        }
        dead[entity]?.remove(key)
      }
    case .update:
      if isKnown { return }
      if report.isComplete || dead[entity]?.contains(key) == true {
        note(object, "is updated by change \(number), and does not exist then")
      }
      live[entity, default: KeySet()].insert(key)
    case .delete:
      if !isKnown, report.isComplete || dead[entity]?.contains(key) == true {
        note(object, "is deleted by change \(number), and does not exist then")
      }
      live[entity]?.remove(key)
      dead[entity, default: KeySet()].insert(key)
    }
  }

  /// Changes that belong to no transaction, and readers that are ahead of history.
  private mutating func checkEnds(_ connection: Connection) throws {
    let bounds = try HistoryBounds.read(connection)
    let strays = try connection.statement(
      """
      SELECT count(*) FROM contrail_change WHERE number < ifnull((SELECT first_change FROM \
      contrail_transaction WHERE number = ?1), 0) OR number >= ifnull((SELECT first_change + \
      change_count FROM contrail_transaction WHERE number = ?2), 0)
      """)
    defer { strays.reset() }
    strays.bind(1, bounds.oldest)
    strays.bind(2, bounds.newest)
    if try strays.step(), strays.integer(0) > 0 {
      note(
        "history", "has \(counted(Int(clamping: strays.integer(0)), "change")) of no transaction")
    }
    let readers = try connection.statement(
      "SELECT name FROM contrail_reader WHERE transaction_number > ?1")
    defer { readers.reset() }
    readers.bind(1, bounds.newest)
    while try readers.step() {
      note("reader \(readers.text(0))", "is ahead of the newest transaction, \(bounds.newest)")
    }
  }

  private func name(_ entity: Int) -> String {
    layout.entity(number: entity)?.name
      ?? layout.catalogue.entities.first { $0.number == entity }?.name ?? "#\(entity)"
  }

  /// Holds every table against what the replay gave.
  mutating func compare(_ connection: Connection) throws {
    for root in layout.entities where root.root == root.index {
      try compare(table: root, connection)
    }
  }

  private mutating func compare(table root: EntityLayout, _ connection: Connection) throws {
    let entity = root.sharesTable ? SystemColumn.entity : String(root.number)
    let rows = try connection.statement(
      "SELECT _id, \(entity) FROM \(quoted(root.table)) ORDER BY _id")
    defer { rows.reset() }
    var found: [Int: Int] = [:]
    var highest: Int64 = 0
    while try rows.step() {
      let (key, number) = (rows.integer(0), Int(clamping: rows.integer(1)))
      report.objects += 1
      highest = max(highest, key)
      if live[number]?.contains(key) == true {
        found[number, default: 0] += 1
      } else if report.isComplete {
        note("\(name(number)) \(key)", "is in the store, and history never inserted it")
      } else if dead[number]?.contains(key) == true {
        note("\(name(number)) \(key)", "is in the store, and history deleted it")
      }
    }
    for index in root.family {
      let number = layout.entities[index].number
      let missing = (live[number]?.count ?? 0) - found[number, default: 0]
      if missing > 0 {
        note(
          name(number),
          "\(counted(Int(clamping: missing), "object")) in history, and not in the store")
      }
    }
    try checkNextKey(root, highest, connection)
  }

  /// A key that was given once is not given again.
  private mutating func checkNextKey(
    _ root: EntityLayout, _ highest: Int64, _ connection: Connection
  ) throws {
    let statement = try connection.statement(
      "SELECT next FROM contrail_key WHERE table_name = ?1")
    defer { statement.reset() }
    statement.bind(1, root.table)
    let next = try statement.step() ? statement.integer(0) : 1
    if next <= highest {
      note(root.table, "would give the key \(next) again: the highest one in use is \(highest)")
    }
  }
}
