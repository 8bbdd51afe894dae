import DataModel
public import PredicateSQL
import SQLiteDriver

extension Store {
  /// Deletes all objects of `entity` that `filter` is true of, and does what the delete rules of their
  /// relationships say, with a few statements for each relationship; contexts that are open are told.
  ///
  /// - `nullify`: other objects refer to them no longer, which is an update of those objects. Where one
  ///   must have an object there, the batch is refused.
  /// - `cascade`: their related objects are deleted too, and so on.
  /// - `deny`: the batch is refused as long as there are related objects that are not deleted as well.
  /// - `noAction`: the other side is left as it is, but in no pair with what is deleted.
  ///
  /// A batch that is refused changes nothing. The result counts and names all objects that were deleted,
  /// also those that a rule reached.
  ///
  /// ```swift
  /// try store.deleteBatch("Entry", where: .compare(.less, .property("when"), .literal(.date(old))))
  /// ```
  @discardableResult
  public func deleteBatch(
    _ entity: String, where filter: QueryExpression? = nil, includesSubentities: Bool = true,
    author: String? = nil, result: BatchResultKind = .statusOnly
  ) throws -> BatchResult {
    let query = try batchQuery(
      batchLayout(entity), filter, includesSubentities: includesSubentities)
    return try write(author: author) { transaction in
      let found = try BatchDeleting(self, transaction).run(query, result)
      try transaction.checkEmptied()
      return found
    }
  }
}

/// One batch delete: which objects go is written into a temporary table, and every further step is
/// asked of it.
struct BatchDeleting {
  let store: Store
  let transaction: WriteTransaction
  let connection: Connection

  init(_ store: Store, _ transaction: WriteTransaction) {
    self.store = store
    self.transaction = transaction
    connection = transaction.connection
  }

  /// Objects that are to be deleted: by the table that they are in (the position of its entity), and
  /// in which round a rule reached them.
  static let table = "temp.contrail_doomed"

  func run(_ query: StoredQuery, _ kind: BatchResultKind) throws -> BatchResult {
    try begin()
    try doom(query)
    return try end(kind)
  }

  /// Does by the delete rules what others have given a save to do: to objects that refer to those that it has deleted.
  ///
  /// What it knew of is done: so no rule follows what the deleted objects referred to themselves.
  func finish(_ deleted: [ManagedObject]) throws {
    try begin()
    for object in deleted { try noteGone(object) }
    _ = try end(.statusOnly, isBegun: true)
  }

  private func begin() throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(Self.table) (root INTEGER NOT NULL, key INTEGER NOT NULL, \
      entity INTEGER NOT NULL, round INTEGER NOT NULL, PRIMARY KEY (root, key)) WITHOUT ROWID; \
      DELETE FROM \(Self.table)
      """)
  }

  /// Does what is to be done; `isBegun` says that the objects of the first round are deleted already.
  private func end(_ kind: BatchResultKind, isBegun: Bool = false) throws -> BatchResult {
    let ends = try doomRelated(isBegun: isBegun)
    try checkDenied(ends)
    let owners = try DeletionCounts(self, ends)
    var updates = BatchUpdates()
    for end in ends { try unlink(end, &updates) }
    let deleted = try deleteRows(kind == .identities, from: isBegun ? 1 : 0)
    try owners.check(self)
    try updates.record(transaction)
    try unlinkReferrers()
    try connection.execute("DELETE FROM \(Self.table)")
    return BatchResult(kind, count: deleted.count, identities: deleted.identities)
  }

  private func doom(_ query: StoredQuery) throws {
    let tail = query.tail(store.layout)
    let statement = try connection.prepare(
      """
      INSERT INTO \(Self.table) (root, key, entity, round) \
      SELECT \(query.layout.root), t0._id, \(query.layout.entityNumber("t0")), 0\(tail.sql)
      """)
    statement.bind(tail.values)
    try statement.run()
  }

  private func noteGone(_ object: ManagedObject) throws(SQLiteError) {
    let statement = try connection.statement(
      "INSERT OR IGNORE INTO \(Self.table) (root, key, entity, round) VALUES (?1, ?2, ?3, 0)")
    statement.bind(1, Int64(object.layout.root))
    statement.bind(2, object.key)
    statement.bind(3, Int64(object.layout.number))
    try statement.run()
  }

  /// The ends of relationships at objects that are to be deleted; on the way, objects that rules reach
  /// are added until there are no more.
  private func doomRelated(isBegun: Bool) throws -> [DoomedEnd] {
    var round = 0
    var known: Set<Int> = []
    while true {
      let fresh = try numbers(
        "SELECT DISTINCT entity FROM \(Self.table) WHERE round = \(round) ORDER BY entity")
      if fresh.isEmpty { break }
      known.formUnion(fresh)
      for end in DoomedEnd.all(store.layout, Set(fresh))
      where end.rule == .cascade && (round > 0 || !isBegun || end.isReferredTo) {
        try connection.execute(
          """
          INSERT OR IGNORE INTO \(Self.table) (root, key, entity, round) \
          SELECT \(end.destination.root), x._id, \(end.destination.entityNumber("x")), \(round + 1) \
          FROM \(end.related("d.round = \(round)"))
          """)
      }
      round += 1
    }
    return DoomedEnd.all(store.layout, known)
  }

  func numbers(_ sql: String) throws(SQLiteError) -> [Int] {
    let statement = try connection.prepare(sql)
    var numbers: [Int] = []
    while try statement.step() { numbers.append(Int(clamping: statement.integer(0))) }
    return numbers
  }

  private func checkDenied(_ ends: [DoomedEnd]) throws {
    var failures = BatchFailures()
    for end in ends where end.rule == .deny {
      let statement = try connection.prepare(
        "SELECT count(DISTINCT d.key), count(DISTINCT x._id) FROM \(end.related(end.isLeft("x._id")))"
      )
      guard try statement.step(), statement.integer(0) > 0 else { continue }
      let related = Int(clamping: statement.integer(1))
      failures.add(
        StoreError(
          .deleteDenied, end.name,
          "\(counted(related, "object")) \(related == 1 ? "keeps" : "keep") "
            + "\(counted(Int(clamping: statement.integer(0)), "object")) from being deleted",
          fix: "delete or move those first"))
    }
    try failures.check("delete")
  }

  /// Takes what is deleted out of a relationship: foreign keys become null, and pairs go, whatever the rule is.
  private func unlink(_ end: DoomedEnd, _ updates: inout BatchUpdates) throws {
    switch end.place {
    case .column(let table, let column, let order):
      guard end.rule != .noAction, let inverse = end.inverse else { return }
      let sets =
        "\(quoted(column)) = NULL, " + (order.map { "\(quoted($0)) = NULL, " } ?? "")
        + "_version = _version + 1"
      let number = end.destination.sharesTable ? "_entity" : String(end.destination.number)
      let statement = try connection.prepare(
        """
        UPDATE \(quoted(table)) SET \(sets) WHERE \(quoted(column)) IN (\(end.doomedKeys)) \
        AND \(end.isLeft("\(quoted(table))._id")) RETURNING _id, \(number)
        """)
      var count = 0
      while try statement.step() {
        count += 1
        updates.note(Int(clamping: statement.integer(1)), statement.integer(0), [inverse.number])
      }
      guard count > 0, inverse.relationship?.schema.isOptional == false else { return }
      throw StoreError(
        .missingValue, "\(end.destination.name).\(inverse.name)",
        "\(counted(count, "object")) would be left without an object there, and need one",
        fix: "delete them too (rule cascade), or give them another first")
    case .pairs(let pairs):
      if let inverse = end.inverse {
        let statement = try connection.prepare(
          """
          SELECT DISTINCT x._id, \(end.destination.entityNumber("x")) \
          FROM \(end.related(end.isLeft("x._id"))) ORDER BY 1
          """)
        while try statement.step() {
          updates.note(Int(clamping: statement.integer(1)), statement.integer(0), [inverse.number])
        }
      }
      for column in pairs.isMirrored ? [pairs.near, pairs.far] : [pairs.near] {
        try connection.execute(
          "DELETE FROM \(quoted(pairs.table)) WHERE \(quoted(column)) IN (\(end.doomedKeys))")
      }
    case .own: return
    }
  }

  /// Takes what was deleted out of references without an inverse, of which no delete rule speaks.
  private func unlinkReferrers() throws {
    for root in try numbers("SELECT DISTINCT root FROM \(Self.table) ORDER BY root") {
      let family = store.layout.entities[root].family
      let referrers = Set(family.flatMap { store.layout.referrers[$0] }).filter { !$0.isIndexed }
      for referrer in referrers.sorted(by: { $0.number < $1.number }) {
        let statement = try connection.prepare(
          referrer.unlinkSQL("SELECT key FROM \(Self.table) WHERE root = \(root)"))
        try transaction.noteEmptied(
          referrer, transaction.recordUpdates(statement, [referrer.number]))
      }
    }
  }

  /// Deletes the rows, with tombstones.
  private func deleteRows(
    _ isListed: Bool, from first: Int
  ) throws -> (count: Int, identities: [ObjectIdentity]) {
    var count = 0
    var identities: [ObjectIdentity] = []
    for root in try numbers("SELECT DISTINCT root FROM \(Self.table) ORDER BY root") {
      let layout = store.layout.entities[root]
      let tombstones = try DoomedTombstones(layout, store, connection)
      let statement = try connection.prepare(
        """
        SELECT key, entity FROM \(Self.table) WHERE root = \(root) AND round >= \(first) ORDER BY key
        """)
      var last: Int64 = 0
      while try statement.step() {
        last = statement.integer(0)
        let entity = Int(clamping: statement.integer(1))
        count += 1
        if isListed { identities.append(store.identity(entity, last)) }
        try transaction.log.deleted(entity, last, tombstones.bytes(last, entity))
        if let layout = store.layout.entity(number: entity) {
          transaction.noteDeleted(layout, key: last)
        }
      }
      try connection.execute(
        """
        DELETE FROM \(quoted(layout.table)) \
        WHERE _id IN (SELECT key FROM \(Self.table) WHERE root = \(root) AND round >= \(first))
        """)
    }
    return (count, identities)
  }
}

/// Reads what is to be kept of objects that are deleted.
struct DoomedTombstones {
  private let statement: Statement?
  private let family: FamilySQL
  private let values: ValueFolder?

  init(_ root: EntityLayout, _ store: Store, _ connection: Connection) throws(SQLiteError) {
    family = store.families[root.index]
    values = store.extras.values
    let keeps = root.family.contains { !store.layout.entities[$0].preservedSlots.isEmpty }
    statement = keeps ? try connection.prepare(family.selectOne) : nil
  }

  func bytes(_ key: Int64, _ entity: Int) throws(SQLiteError) -> [UInt8]? {
    guard let statement else { return nil }
    defer { statement.reset() }
    statement.bind(1, key)
    guard try statement.step() else { return nil }
    let (layout, row) = family.row(statement)
    defer { row.free(layout) }
    return Tombstone.bytes(row, layout, values)
  }
}
