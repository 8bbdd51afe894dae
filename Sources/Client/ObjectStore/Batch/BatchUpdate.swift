import DataModel
public import PredicateSQL
import SQLiteDriver

extension Store {
  /// Sets attributes of all objects of `entity` that `filter` is true of, as one statement over their
  /// rows; contexts that are open are told.
  ///
  /// A value is a literal or an expression over the object's own attributes, as they were before. An
  /// object whose values are those already is not updated: it keeps its version and is not in history,
  /// and history names just the attributes that changed. A value that its attribute refuses makes the
  /// whole batch fail, and nothing is changed.
  ///
  /// ```swift
  /// try store.updateBatch(
  ///   "Entry", where: .compare(.less, .property("hours"), .literal(.double(0))),
  ///   set: ["hours": .negative(.property("hours")), "note": .literal(.string("mended"))])
  /// ```
  @discardableResult
  public func updateBatch(
    _ entity: String, where filter: QueryExpression? = nil, set values: [String: QueryExpression],
    includesSubentities: Bool = true, author: String? = nil,
    result: BatchResultKind = .statusOnly
  ) throws -> BatchResult {
    let plan = try BatchUpdatePlan(
      self, batchLayout(entity), filter, values, includesSubentities: includesSubentities)
    return try write(author: author) { transaction in
      try BatchUpdating(self, transaction, plan).run(result)
    }
  }
}

/// What a batch update sets, in SQL.
struct BatchUpdatePlan {
  let layout: EntityLayout
  var query: StoredQuery
  let sets: [SetColumn]

  /// One attribute that is set.
  struct SetColumn {
    var slot: Int
    var column: String
    var number: Int
    var value: SQLFragment
    /// Whether each object's new value has to be looked at.
    var isChecked: Bool
    /// Whether computing it may raise an error.
    var mayFail = false
  }

  init(
    _ store: Store, _ layout: EntityLayout, _ filter: QueryExpression?,
    _ values: [String: QueryExpression], includesSubentities: Bool
  ) throws {
    self.layout = layout
    query = try store.batchQuery(layout, filter, includesSubentities: includesSubentities)
    var failures = BatchFailures()
    var sets: [SetColumn] = []
    let sql: SQLQuery
    do throws(QueryProblem) {
      sql = try SQLQuery(store.queryModel, entity: layout.name)
    } catch {
      throw StoreError(error, layout.name)
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      do throws(StoreError) {
        sets.append(try Self.column(name, value, layout, sql))
      } catch {
        failures.add(error)
      }
    }
    try failures.check(layout.name)
    if sets.isEmpty {
      throw StoreError(.invalidFetch, layout.name, "the batch sets no attribute", fix: "name one")
    }
    self.sets = sets
  }

  /// Whether queries may go on comparing the values of an attribute as they are: texts in form C,
  /// numbers that are no NaN.
  ///
  /// Of what SQL computes that is not known.
  fileprivate func isOrdinary(_ set: SetColumn) -> Bool {
    let slot = layout.slots[set.slot]
    guard slot.isComparedText || slot.isComparedNumber else { return true }
    guard set.value.sql == "?", let value = set.value.values.first else { return false }
    if case .string(let text) = value { return WriteTransaction.isNormalized(text) }
    if case .data = value { return false }
    return true
  }

  private static func column(
    _ name: String, _ value: QueryExpression, _ layout: EntityLayout, _ sql: SQLQuery
  ) throws(StoreError) -> SetColumn {
    let full = "\(layout.name).\(name)"
    guard let slot = layout.slot(name) else {
      throw .unknownProperty(full, among: layout.slots.map(\.name))
    }
    if layout.slots[slot].relationship != nil {
      throw StoreError(
        .readOnlyProperty, full, "is a relationship, which a batch update does not set",
        fix: "change it through a context, so that the other side is kept the same")
    }
    guard let attribute = layout.slots[slot].attribute, let column = layout.slots[slot].column
    else { throw .readOnlyProperty(full, why: "it is not stored") }
    if attribute.derivation != nil { throw .readOnlyProperty(full, why: "its value is derived") }
    let number = layout.slots[slot].number
    if case .literal(let literal) = value {
      return SetColumn(
        slot: slot, column: column, number: number,
        value: SQLFragment("?", [try stored(literal, slot, layout, full)]), isChecked: false)
    }
    if value.mentionsOtherObjects {
      throw StoreError(
        .unsupportedPredicate, full, "is set to a value of other objects: \(value)",
        fix: "use the object's own attributes only")
    }
    let found: SQLResult
    do throws(QueryProblem) { found = try sql.result(value) } catch {
      throw StoreError(error, full)
    }
    guard case .value(let kind) = found.shape, accepts(kind, attribute.type) else {
      throw StoreError(
        .wrongType, full, "holds \(attribute.type.rawValue), which \(value) is not")
    }
    let mayBeMissing = found.isNullable && !layout.slots[slot].isOptional
    return SetColumn(
      slot: slot, column: column, number: number, value: found.fragment,
      isChecked: layout.slots[slot].hasLimits || mayBeMissing, mayFail: found.mayFail)
  }

  /// A literal as it lies in the attribute's column.
  private static func stored(
    _ literal: FieldValue, _ slot: Int, _ layout: EntityLayout, _ name: String
  ) throws(StoreError) -> FieldValue {
    let row = Row(layout)
    defer { row.free(layout) }
    guard row.setValue(slot, literal, layout) else {
      throw .wrongType(
        name, expected: layout.slots[slot].attribute?.type.rawValue ?? "value", found: literal)
    }
    if let failure = layout.failures(row, [slot]).first { throw failure }
    return row.stored(slot, layout)
  }

  /// Whether an attribute's column can hold computed values of a kind.
  private static func accepts(_ kind: FieldValue.Kind, _ type: Schema.AttributeType) -> Bool {
    guard let own = type.valueKind else { return false }
    return own == kind || others[own]?.contains(kind) == true
  }

  private static let others: [FieldValue.Kind: Set<FieldValue.Kind>] = [
    .double: [.integer], .decimal: [.integer], .uri: [.string], .string: [.uri],
    .integer: [.boolean],
  ]
}

extension BatchUpdatePlan.SetColumn {
  /// Whether a row has another value; by bytes, since another spelling of a text is an edit.
  fileprivate var differs: String { "t0.\(quoted(column)) IS NOT \(value.sql)" }
}

extension Row {
  /// A slot's value as it lies in its column.
  func stored(_ slot: Int, _ layout: EntityLayout) -> FieldValue {
    guard isPresent(slot) else { return .null }
    // Not normalised: a context writes texts as they are.
    switch layout.slots[slot].kind {
    case .text, .decimal: return .string(text(slot, layout))
    default: return value(slot, layout).stored
    }
  }
}

/// One batch update.
struct BatchUpdating {
  let store: Store
  let transaction: WriteTransaction
  let plan: BatchUpdatePlan

  init(_ store: Store, _ transaction: WriteTransaction, _ plan: BatchUpdatePlan) {
    self.store = store
    self.transaction = transaction
    self.plan = plan
  }

  func run(_ kind: BatchResultKind) throws -> BatchResult {
    let found = try record(kind == .identities)
    if found.changed > 0 {
      try update()
      try checkUnique()
    }
    return BatchResult(kind, count: found.changed, identities: found.list)
  }

  /// The rows that are updated: those meant whose values differ.
  private var query: StoredQuery {
    var query = plan.query
    var differs = SQLFragment(
      "(" + plan.sets.map(\.differs).joined(separator: " OR ") + ")",
      plan.sets.flatMap(\.value.values))
    if let filter = query.filter {
      // SQLite may ask conjuncts in any order: what may fail is reckoned only for what is meant. The
      // filter stands in front as well, since no index serves a CASE.
      if plan.sets.contains(where: \.mayFail) {
        differs = SQLFragment(
          "CASE WHEN \(filter.sql) THEN \(differs.sql) ELSE 0 END", filter.values + differs.values)
      }
      query.filter = SQLFragment(
        "(\(filter.sql)) AND \(differs.sql)", filter.values + differs.values)
    } else {
      query.filter = differs
    }
    return query
  }

  private struct Found {
    var list: [ObjectIdentity] = []
    var changed = 0
  }

  /// Writes into history which objects change, and which of their attributes.
  private func record(_ isListed: Bool) throws -> Found {
    var found = Found()
    var failures = BatchFailures()
    let layout = plan.layout
    let differs = plan.sets.map(\.differs)
    let checked = plan.sets.filter(\.isChecked)
    let columns =
      ["t0._id", layout.entityNumber("t0")] + (differs.count > 1 ? differs : [])
      + checked.map(\.value.sql)
    let tail = query.tail(store.layout)
    let statement = try transaction.connection.prepare(
      "SELECT \(columns.joined(separator: ", "))\(tail.sql)")
    statement.bind(
      (differs.count > 1 ? plan.sets.flatMap(\.value.values) : [])
        + checked.flatMap(\.value.values) + tail.values)
    let firstChecked = Int32(2 + (differs.count > 1 ? differs.count : 0))
    let scratch = Row(layout)
    defer { scratch.free(layout) }
    // Most objects change in the same attributes, and then share one list of them.
    var lastNumbers = plan.sets.map(\.number)
    var numbers: [Int] = []
    while try statement.step() {
      let key = statement.integer(0)
      let entity = Int(clamping: statement.integer(1))
      if differs.count > 1 {
        numbers.removeAll(keepingCapacity: true)
        for (index, set) in plan.sets.enumerated() where statement.integer(Int32(2 + index)) != 0 {
          numbers.append(set.number)
        }
        if numbers != lastNumbers { lastNumbers = numbers }
      }
      for (index, set) in checked.enumerated() {
        scratch.clear(set.slot, layout)
        scratch.read(set.slot, layout, from: statement, firstChecked + Int32(index))
        for var failure in layout.failures(scratch, [set.slot]) {
          failure.subject += ", object \(key)"
          failures.add(failure)
        }
      }
      if failures.isFull { break }
      found.changed += 1
      if isListed { found.list.append(store.identity(entity, key)) }
      if failures.isEmpty { try transaction.log.updated(entity, key, lastNumbers) }
    }
    statement.reset()
    try failures.check(layout.name)
    return found
  }

  private func update() throws {
    let sql = updateSQL
    try transaction.markUnnormalized(plan.sets.filter { !plan.isOrdinary($0) }.map(\.number))
    let statement = try transaction.connection.prepare(sql.sql)
    statement.bind(sql.values)
    try statement.run()
  }

  /// The statement that changes the rows.
  var updateSQL: SQLFragment {
    let sets = plan.sets.map { "\(quoted($0.column)) = \($0.value.sql)" }
    let rows = query.condition(store.layout)
    return SQLFragment(
      """
      UPDATE \(quoted(plan.layout.table)) AS t0 \
      SET \(sets.joined(separator: ", ")), _version = _version + 1\(rows.sql)
      """, plan.sets.flatMap(\.value.values) + rows.values)
  }

  /// Throws where objects have come to share what is unique.
  private func checkUnique() throws {
    let names = Set(plan.sets.map { plan.layout.slots[$0.slot].name })
    var failures = BatchFailures()
    var seen: Set<[String]> = []
    // Entities that inherit from this one may have constraints of their own on its attributes.
    for index in plan.layout.family {
      let layout = store.layout.entities[index]
      for constraint in layout.uniqueness {
        let columns = constraint.slots.compactMap { layout.slots[$0].column }.map(quoted)
        guard constraint.slots.contains(where: { names.contains(layout.slots[$0].name) }),
          seen.insert(columns).inserted
        else { continue }
        for failure in try shared(constraint, columns, layout) { failures.add(failure) }
      }
    }
    try failures.check(plan.layout.name)
  }

  private func shared(
    _ constraint: UniqueConstraint, _ columns: [String], _ layout: EntityLayout
  ) throws -> [StoreError] {
    let list = columns.joined(separator: ", ")
    let present = constraint.wholeness { quoted(layout.slots[$0].column ?? "") }
    let statement = try transaction.connection.prepare(
      """
      SELECT count(*), \(list) FROM \(quoted(layout.table)) \
      WHERE \(present) GROUP BY \(list) HAVING count(*) > 1 LIMIT \(BatchLimits.failuresMax)
      """)
    var failures: [StoreError] = []
    while try statement.step() {
      let row = Row(layout)
      defer { row.free(layout) }
      for (index, slot) in constraint.slots.enumerated() {
        row.read(slot, layout, from: statement, Int32(1 + index))
      }
      let shown = constraint.slots.map { "\(layout.slots[$0].name) \(row.value($0, layout).shown)" }
      failures.append(
        StoreError(
          .notUnique, layout.name,
          "\(counted(Int(clamping: statement.integer(0)), "object")) would have "
            + "\(shown.joined(separator: ", "))",
          fix: "set values that differ"))
    }
    return failures
  }
}

extension Store {
  /// Which rows a batch is about: all of the filter has to be asked in SQL.
  func batchQuery(
    _ layout: EntityLayout, _ filter: QueryExpression?, includesSubentities: Bool
  ) throws(StoreError) -> StoredQuery {
    var request = FetchRequest(layout.name, where: filter)
    request.includesSubentities = includesSubentities
    let plan = try FetchPlan(request, self.layout, queryModel)
    guard plan.remainder.isEmpty else {
      throw StoreError(
        .unsupportedPredicate, layout.name,
        "a part of the condition cannot be asked in SQL: "
          + plan.problems.map { "\($0)" }.joined(separator: "; "),
        fix: "say it otherwise, or fetch the objects and change them in a context")
    }
    var query = plan.query
    query.order = nil
    return query
  }
}
