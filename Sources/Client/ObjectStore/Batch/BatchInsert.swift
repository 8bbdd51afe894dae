public import DataModel

extension Store {
  /// Inserts objects of `entity`, one for each time that `fill` returns true, in one transaction.
  ///
  /// The objects do not pass through a context, so that a million of them cost little more than SQLite's
  /// own work; contexts that are open are told. All rows are validated, and where one fails the error
  /// names all that do, up to `BatchLimits.failuresMax`, and nothing is written.
  ///
  /// With `unique` as `upsert`, a row that has what is unique about an object that the store has, or
  /// about an earlier row, updates that object: the object keeps its identity and every property that
  /// the row does not set, and is one update, or one insert, in history. With `strict` it is a failure.
  ///
  /// ```swift
  /// var flights = list.makeIterator()
  /// try store.insertBatch("Entry") { row in
  ///   guard let flight = flights.next() else { return false }
  ///   row.set("tail", .string(flight.tail))
  ///   return true
  /// }
  /// ```
  @discardableResult
  public func insertBatch(
    _ entity: String, author: String? = nil, unique: UniquePolicy = .upsert,
    result: BatchResultKind = .statusOnly, fill: (inout BatchRow) throws -> Bool
  ) throws -> BatchResult {
    let layout = try batchLayout(entity)
    if layout.schema.isAbstract {
      throw StoreError(
        .abstractEntity, entity, "is abstract, so it has no objects of its own",
        fix: "insert objects of an entity that inherits from it")
    }
    return try write(author: author) { transaction in
      let batch = try BatchInserting(self, transaction, layout, unique, result)
      var row = BatchRow(layout)
      while try !batch.failures.isFull && fill(&row) {
        try batch.add(row)
        row.begin()
      }
      return try batch.finish()
    }
  }

  /// Inserts an object of `entity` for each of `rows`: values by the names of properties, and for a
  /// to-one relationship the identity of its object.
  ///
  /// ```swift
  /// try store.insertBatch("Entry", rows: [["tail": .string("N628TS"), "hours": .double(1.5)]])
  /// ```
  @discardableResult
  public func insertBatch(
    _ entity: String, rows: some Sequence<[String: FieldValue]>, author: String? = nil,
    unique: UniquePolicy = .upsert, result: BatchResultKind = .statusOnly
  ) throws -> BatchResult {
    var iterator = rows.makeIterator()
    return try insertBatch(entity, author: author, unique: unique, result: result) { row in
      guard let values = iterator.next() else { return false }
      for (name, value) in values { row.set(name, value) }
      return true
    }
  }

  /// Inserts models of a type, filled by the slots that its accessors use.
  @discardableResult
  public func insertBatch<Model: PersistentModel>(
    _ type: Model.Type, author: String? = nil, unique: UniquePolicy = .upsert,
    result: BatchResultKind = .statusOnly, fill: (inout BatchRow) throws -> Bool
  ) throws -> BatchResult {
    let own = Model.detachedLayout
    guard try batchLayout(own.name).hasSameSlots(as: own) else {
      throw StoreError(
        .unknownEntity, own.name, "has other properties in the store than in the program",
        fix: "open the store with the program's schema")
    }
    return try insertBatch(own.name, author: author, unique: unique, result: result, fill: fill)
  }
}

/// One batch of inserts.
final class BatchInserting {
  let store: Store
  let transaction: WriteTransaction
  let layout: EntityLayout
  private let policy: UniquePolicy
  private let kind: BatchResultKind
  private let unique: BatchUnique?
  private let references: BatchReferences?
  var failures = BatchFailures()
  /// Objects that the batch updates.
  var updates = BatchUpdates()
  /// Objects that the store had and rows were about, changed or not.
  private var upserted: [Int64: Int] = [:]
  private var rowNumber = 0
  private var insertedCount = 0
  private(set) var firstKey: Int64 = 0
  private var nextKey: Int64 = 0
  private var reserved: Int64 = 0

  init(
    _ store: Store, _ transaction: WriteTransaction, _ layout: EntityLayout,
    _ policy: UniquePolicy, _ kind: BatchResultKind
  ) throws {
    self.store = store
    self.transaction = transaction
    self.layout = layout
    self.policy = policy
    self.kind = kind
    unique = layout.uniqueness.isEmpty ? nil : try BatchUnique(layout, transaction)
    references = BatchReferences(layout, store.layout, transaction)
  }

  /// Whether an object is one that this batch has inserted.
  func isNew(_ key: Int64, _ table: String) -> Bool {
    table == layout.table && firstKey > 0 && key >= firstKey
  }

  @inline(__always)
  func add(_ row: borrowing BatchRow) throws {
    rowNumber += 1
    if unique == nil, references == nil, row.failures.isEmpty, row.isPlainlyRight {
      return try insert(row)
    }
    try addChecked(row)
  }

  private func addChecked(_ row: borrowing BatchRow) throws {
    for failure in row.failures { failures.add(failure, row: rowNumber) }
    guard row.failures.isEmpty, try targetsAreThere(row) else { return }
    switch try unique?.match(row.row) {
    case .none, .nothing?:
      let found = row.missingOrWrong
      for failure in found { failures.add(failure, row: rowNumber) }
      if found.isEmpty { try insert(row) }
    case .one(let existing)?:
      try upsert(row, existing)
    case .several?:
      failures.add(
        StoreError(
          .notUnique, layout.name, "several objects have what is unique about the row",
          fix: "make the row equal to one of them only"), row: rowNumber)
    }
  }

  private func targetsAreThere(_ row: borrowing BatchRow) throws -> Bool {
    guard let references else { return true }
    var isAllThere = true
    for (slot, target) in row.targets {
      guard let failure = try references.failure(slot, target, store) else { continue }
      failures.add(failure, row: rowNumber)
      isAllThere = false
    }
    return isAllThere
  }

  @inline(__always)
  private func insert(_ row: borrowing BatchRow) throws {
    if nextKey == reserved {
      nextKey = try transaction.newKeys(layout, count: BatchLimits.keyRun)
      reserved = nextKey + Int64(BatchLimits.keyRun)
      if firstKey == 0 { firstKey = nextKey }
    }
    let key = nextKey
    nextKey += 1
    insertedCount += 1
    guard let references else { return try transaction.insert(layout, key: key, row: row.row) }
    try references.place(row.row)
    try transaction.insert(layout, key: key, row: row.row)
    try link(row, key)
  }

  private func link(_ row: borrowing BatchRow, _ key: Int64) throws {
    guard let references else { return }
    for failure in try references.link(row, key, self) { failures.add(failure, row: rowNumber) }
  }

  /// The row is about an object that is there: it gets the values that the row sets.
  private func upsert(_ row: borrowing BatchRow, _ existing: BatchUnique.Match) throws {
    let number = layout.sharesTable ? existing.entity : layout.number
    let isOwn = store.layout.entity(number: number).map { layout.family.contains($0.index) }
    guard policy == .upsert, isOwn == true else {
      let shown = layout.shownUnique(row.row)
      return failures.add(
        StoreError(
          .notUnique, layout.name, "another object has \(shown)",
          fix: "change the value, or let the batch update the object that has it"), row: rowNumber)
    }
    guard let stored = try transaction.read(layout, key: existing.key) else { return }
    defer { stored.row.free(layout) }
    // Merged into a copy of what is there: what the row does not set stays.
    let merged = stored.row.copy(layout)
    defer { merged.free(layout) }
    let set = row.touched.slots.filter { layout.slots[$0].column != nil }
    for slot in set { row.row.copySlot(slot, to: merged, layout) }
    let isInBatch = isNew(existing.key, layout.table)
    if !isInBatch { upserted[existing.key] = number }
    try references?.place(merged, unlike: stored.row)
    let changed = layout.columnSlots.filter { !merged.isEqual($0, stored.row, layout) }
    let found = layout.failures(merged, changed)
    for failure in found { failures.add(failure, row: rowNumber) }
    guard found.isEmpty else { return }
    if let unique, try unique.isTaken(merged, changed, otherThan: existing.key) {
      return failures.add(
        StoreError(.notUnique, layout.name, "another object has \(layout.shownUnique(merged))"),
        row: rowNumber)
    }
    if !changed.isEmpty {
      _ = try transaction.update(
        layout, key: existing.key, version: stored.version, row: merged, slots: changed)
      if !isInBatch { updates.note(number, existing.key, layout.propertyNumbers(changed)) }
    }
    try link(row, existing.key)
  }

  func finish() throws -> BatchResult {
    transaction.returnKeys(layout, from: nextKey, to: reserved)
    if let references {
      for failure in try references.tooManyFailures() { failures.add(failure) }
    }
    try failures.check(layout.name)
    try updates.record(transaction)
    return BatchResult(
      kind, count: insertedCount + upserted.count,
      identities: (0..<Int64(insertedCount)).map { store.identity(layout.number, firstKey + $0) }
        + upserted.sorted { $0.key < $1.key }.map { store.identity($0.value, $0.key) })
  }
}

extension BatchRow {
  /// Whether a look at what is required tells that the row may be a new object: so it is with most.
  @inline(__always)
  var isPlainlyRight: Bool {
    for slot in layout.requiredSlots where !row.isPresent(slot) { return false }
    return layout.checkedSlots.isEmpty
  }

  /// What keeps the row from being a new object.
  var missingOrWrong: [StoreError] {
    guard layout.needsValidation else { return [] }
    var failures = layout.failures(row, Array(layout.slots.indices))
    for slot in layout.checkedSlots where layout.slots[slot].kind == .related {
      guard let schema = layout.slots[slot].relationship?.schema, !schema.isOptional else {
        continue
      }
      let name = "\(layout.name).\(layout.slots[slot].name)"
      if schema.isToMany, schema.minimumCount > 0 {
        failures.append(
          StoreError(
            .tooFew, name, "needs at least \(schema.minimumCount) objects, and a batch sets none",
            fix: "save such objects through a context"))
      } else if !schema.isToMany,
        !farTargets.contains(where: { $0.slot == slot && $0.target != nil })
      {
        failures.append(
          StoreError(.missingValue, name, "needs an object", fix: "set it before saving"))
      }
    }
    return failures
  }
}

extension EntityLayout {
  /// What keeps values of some slots with columns from being saved.
  func failures(_ row: Row, _ wanted: [Int]) -> [StoreError] {
    guard needsValidation else { return [] }
    let wanted = SlotSet(wanted)
    var failures: [StoreError] = []
    for slot in requiredSlots
    where slots[slot].column != nil && wanted.contains(slot) && !row.isPresent(slot) {
      failures.append(
        StoreError(
          .missingValue, "\(name).\(slots[slot].name)", "needs a value",
          fix: "set it, or give it a default"))
    }
    for slot in checkedSlots where wanted.contains(slot) {
      let name = "\(name).\(slots[slot].name)"
      if slots[slot].kind == .reference {
        if !row.isPresent(slot), slots[slot].relationship?.schema.isOptional == false {
          failures.append(
            StoreError(.missingValue, name, "needs an object", fix: "set it before saving"))
        }
      } else if slots[slot].kind != .related, row.isPresent(slot) {
        failures += limitFailures(slot, row, name)
      }
    }
    return failures
  }

  /// The values of unique constraints, as a message shows them.
  func shownUnique(_ row: Row) -> String {
    let slots = uniqueness.flatMap(\.slots).filter(row.isPresent)
    return slots.map { "\(self.slots[$0].name) \(row.value($0, self).shown)" }
      .joined(separator: ", ")
  }
}
