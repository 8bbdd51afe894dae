import DataModel
import SQLiteDriver

extension ModelContext {
  /// Writes all changes in one transaction; when it throws, nothing was written and every change is
  /// still there to be mended and saved again.
  public func save() throws {
    receiveChanges()
    guard hasChanges else { return }
    try listeners?.tellWillSave(self)
    watcher?.willSave()
    if !pendingDeletions.isEmpty { try dropDoomedInserts() }
    try validate()
    let saving = Saving(self)
    do {
      try store.write(author: author, from: self) { transaction in
        try saving.write(transaction)
      }
    } catch {
      saving.takeBackKeys()
      throw error
    }
    saving.settle()
    if inbox.wantsOwn { receiveChanges() }
  }

  /// Runs `body` and saves what it changed; drops all changes when it throws.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      rollback()
      throw error
    }
    try save()
    return result
  }
}

/// One save: what it writes, and what becomes of the objects afterwards.
final class Saving {
  let context: ModelContext
  private let inserted: [ManagedObject]
  private let updated: [ManagedObject]
  private let deleted: [ManagedObject]
  private var temporaryKeys: [Int64] = []
  /// What batch deletes within the save have changed.
  private var batchChanges: ChangeSet?
  /// Versions that updated objects have now.
  private var versions: [Int64] = []
  /// Updated objects that are read again after the save, since the store's values stand.
  private var refreshed: [ManagedObject] = []
  var conflicts: [StoreError] = []
  /// New objects that turned out to be ones that the store has, by a unique constraint.
  private var upserted: [Int: Upsert] = [:]

  /// What the transaction did besides.
  private var outcome: WriteOutcome?

  struct Upsert {
    var key: Int64
    var version: Int64
  }

  init(_ context: ModelContext) {
    self.context = context
    inserted = context.insertedObjects
    updated = context.updatedObjects
    deleted = context.deletedObjects
  }

  func write(_ transaction: WriteTransaction) throws {
    outcome = transaction.outcome
    try giveKeys(transaction)
    for (index, object) in inserted.enumerated() {
      if let upsert = upserted[index] {
        try writeUpsert(object, upsert, transaction)
      } else if let row = object.row {
        try transaction.insert(object.layout, key: object.key, row: row)
      }
    }
    versions.reserveCapacity(updated.count)
    for object in updated { versions.append(try writeUpdate(object, transaction)) }
    try writePairs(transaction)
    for object in deleted { try writeDeletion(object, transaction) }
    if !context.pendingDeletions.isEmpty {
      batchChanges = try transaction.delete(context.pendingDeletions, context.store)
    }
    try UniqueCheck(transaction).check(inserted, updated)
    guard conflicts.isEmpty else {
      throw StoreError(
        .conflict, "save", "\(conflicts.count) objects were changed in the store meanwhile",
        fix: "roll back and read them again, or choose a merge policy", failures: conflicts)
    }
  }

  /// Gives every new object its key before anything is written, since rows refer to one another.
  private func giveKeys(_ transaction: WriteTransaction) throws {
    temporaryKeys.reserveCapacity(inserted.count)
    for (index, object) in inserted.enumerated() {
      temporaryKeys.append(object.key)
      if !object.layout.uniqueness.isEmpty, context.uniquePolicy == .upsert,
        let found = try UniqueCheck(transaction).existing(object)
      {
        upserted[index] = found
        object.key = found.key
        continue
      }
      object.key = try transaction.newKey(object.layout)
    }
  }

  /// Puts back what `giveKeys` gave, after a failure.
  func takeBackKeys() {
    for (object, key) in zip(inserted, temporaryKeys) { object.key = key }
  }

  private func writeUpsert(
    _ object: ManagedObject, _ upsert: Upsert, _ transaction: WriteTransaction
  ) throws {
    guard let row = object.row else { return }
    let slots = object.layout.writtenSlots
    _ = try transaction.update(
      object.layout, key: upsert.key, version: upsert.version, row: row, slots: slots)
    try transaction.log.updated(
      object.layout.number, upsert.key, object.layout.propertyNumbers(slots))
  }

  /// Writes what differs; returns the version that the object has then.
  private func writeUpdate(_ object: ManagedObject, _ transaction: WriteTransaction) throws -> Int64
  {
    guard let row = object.row, let original = object.original else { return object.version }
    let layout = object.layout
    let slots = object.changed.slots.filter {
      layout.slots[$0].column != nil && !context.store.isEqual($0, row, original, layout)
    }
    if slots.isEmpty { return object.version }
    if try transaction.update(
      layout, key: object.key, version: object.version, row: row, slots: slots)
    {
      try transaction.log.updated(layout.number, object.key, layout.propertyNumbers(slots))
      return object.version + 1
    }
    return try resolve(object, slots, transaction)
  }

  /// The store has another version of the object than the one that was read.
  private func resolve(
    _ object: ManagedObject, _ slots: [Int], _ transaction: WriteTransaction
  ) throws -> Int64 {
    let layout = object.layout
    guard let stored = try transaction.read(layout, key: object.key) else {
      return try resolveGone(object, transaction)
    }
    defer { stored.row.free(layout) }
    guard let row = object.row, let original = object.original else { return stored.version }
    let resolution = Resolution(
      context.mergePolicy, changed: slots,
      changedThere: SlotSet(
        layout.columnSlots.filter { slot in
          !context.store.isEqual(slot, stored.row, original, layout)
        }),
      all: layout.writtenSlots)
    guard let write = resolution.write else {
      conflicts.append(.conflict(object, slots, resolution.both))
      context.noteOutdated(object)
      return object.version
    }
    refreshed.append(object)
    if write.isEmpty { return stored.version }
    _ = try transaction.update(
      layout, key: object.key, version: stored.version, row: row, slots: write)
    try transaction.log.updated(layout.number, object.key, layout.propertyNumbers(write))
    return stored.version + 1
  }

  /// The object was deleted meanwhile.
  private func resolveGone(
    _ object: ManagedObject, _ transaction: WriteTransaction
  ) throws -> Int64 {
    switch context.mergePolicy {
    case .error:
      conflicts.append(.deletedMeanwhile(object))
      context.noteOutdated(object)
    case .mergeByPropertyStoreTrump, .rollback:
      refreshed.append(object)
    case .mergeByPropertyObjectTrump, .overwrite:
      if let row = object.row {
        try transaction.insert(object.layout, key: object.key, row: row)
        return 1
      }
    }
    return object.version
  }

  private func writeDeletion(_ object: ManagedObject, _ transaction: WriteTransaction) throws {
    if context.mergePolicy == .error,
      let stored = try transaction.version(object.layout, key: object.key),
      stored != object.version
    {
      conflicts.append(.conflict(object, [], []))
      context.noteOutdated(object)
      return
    }
    guard try transaction.delete(object.layout, key: object.key) else { return }
    try transaction.log.deleted(
      object.layout.number, object.key,
      Tombstone.bytes(object.original ?? object.row, object.layout, context.store.extras.values))
  }

  /// After the commit: objects are as the store has them.
  func settle() {
    for (index, object) in inserted.enumerated() {
      let table = context.identities[object.layout.root]
      table.table.remove(object, temporaryKeys[index])
      table.table.insert(object, object.key)
      object.version = upserted[index].map { $0.version + 1 } ?? 1
      object.becomeClean()
    }
    for (object, version) in zip(updated, versions) {
      object.version = version
      object.becomeClean()
    }
    for object in deleted {
      object.state = .gone
      object.keptModel = nil
    }
    for object in context.withRelatedChanges { object.settleRelated() }
    context.endChanges()
    for object in refreshed {
      object.turnIntoFault()
      context.live?.willChange(object)
    }
    outcome?.settle(in: context)
    if let batchChanges { context.receiveOwn(batchChanges) }
  }
}

extension Saving {
  /// Writes the pairs of relationships that have tables of their own, and an update of both ends.
  private func writePairs(_ transaction: WriteTransaction) throws {
    var touched = TouchedObjects()
    for change in context.pairChanges.changes {
      let (source, target) = (change.source, change.target)
      if source.key < 0 || target.key < 0 { continue }
      try transaction.writePair(change, source.key, target.key)
      if change.isMirrored && source !== target {
        try transaction.writePair(change, target.key, source.key)
      }
      touched.note(source, change.sourceSlot)
      touched.note(target, change.targetSlot)
    }
    for (object, slots) in touched.objects where object.state == .clean || object.state == .updated
    {
      try transaction.log.updated(
        object.layout.number, object.key, object.layout.propertyNumbers(slots))
    }
  }

  /// Objects whose pairs changed, in the order in which they were met.
  private struct TouchedObjects {
    private(set) var objects: [(ManagedObject, [Int])] = []
    private var places: [ObjectIdentifier: Int] = [:]

    mutating func note(_ object: ManagedObject, _ slot: Int?) {
      guard let slot else { return }
      let place = places[ObjectIdentifier(object), default: objects.count]
      if place == objects.count {
        places[ObjectIdentifier(object)] = place
        objects.append((object, []))
      }
      if !objects[place].1.contains(slot) { objects[place].1.append(slot) }
    }
  }
}

extension WriteTransaction {
  /// Makes or undoes one pair, with the places that the ends' lists say.
  func writePair(_ change: PairChanges.Change, _ source: Int64, _ target: Int64) throws(SQLiteError)
  {
    let table = quoted(change.table)
    if !change.isAdded {
      let statement = try connection.statement(
        "DELETE FROM \(table) WHERE source = ?1 AND target = ?2")
      statement.bind(1, source)
      statement.bind(2, target)
      return try statement.run()
    }
    let statement = try connection.statement(
      """
      INSERT INTO \(table) (source, target, source_order, target_order) VALUES (?1, ?2, ?3, ?4) \
      ON CONFLICT DO UPDATE SET source_order = ?3, target_order = ?4
      """)
    statement.bind(1, source)
    statement.bind(2, target)
    bind(statement, 3, change.target.place(of: change.source, change.targetSlot))
    bind(statement, 4, change.source.place(of: change.target, change.sourceSlot))
    try statement.run()
  }

  private func bind(_ statement: Statement, _ parameter: Int32, _ value: Int64?) {
    if let value { statement.bind(parameter, value) } else { statement.bindNull(parameter) }
  }

  /// The version that the store has of an object; nil when it is gone.
  func version(_ entity: EntityLayout, key: Int64) throws(SQLiteError) -> Int64? {
    let statement = try connection.statement(
      "SELECT _version FROM \(quoted(entity.table)) WHERE _id = ?1")
    defer { statement.reset() }
    statement.bind(1, key)
    return try statement.step() ? statement.integer(0) : nil
  }
}

extension ManagedObject {
  /// The place of `object` in the order of a relationship; nil where it has none.
  fileprivate func place(of object: ManagedObject, _ slot: Int?) -> Int64? {
    guard let slot, layout.slots[slot].kind == .related,
      layout.slots[slot].relationship?.schema.isOrdered == true
    else { return nil }
    let list = related(slot)
    let key = list.held.first { $0.value === object }?.key ?? object.key
    guard let place = list.members?.firstIndex(of: key), place < list.orders.count else {
      return nil
    }
    return list.orders[place]
  }

  fileprivate func becomeClean() {
    state = .clean
    changed.removeAll()
    original?.free(layout)
    original = nil
    keptModel = nil
    guard let row else { return }
    for slot in layout.slots.indices
    where layout.slots[slot].kind == .reference && row.isPresent(slot) {
      let reference = row.reference(slot, layout)
      if let object = reference.object {
        row.set(slot, ReferenceSlot(key: object.key, object: nil), layout)
      }
    }
  }

  fileprivate func settleRelated() {
    guard let row = row ?? original else { return }
    for slot in layout.slots.indices
    where layout.slots[slot].kind == .related && row.isPresent(slot) {
      row.related(slot, layout).settle()
    }
  }

  /// Puts the values aside, so that they are read again.
  ///
  /// Until then they are the last known ones, and
  /// lists of related objects keep what was changed in them.
  func turnIntoFault() {
    partial = nil
    guard state == .clean, let row else { return }
    original?.free(layout)
    original = row
    self.row = nil
  }

  /// Takes values that were read; those that were put aside go.
  func takeRow(_ new: Row, _ newLayout: EntityLayout, _ newVersion: Int64) {
    if let old = original {
      for slot in layout.slots.indices
      where layout.slots[slot].kind == .related && old.isPresent(slot) {
        let list = old.related(slot, layout)
        guard list.isChanged, newLayout.hasSameSlots(as: layout) else { continue }
        list.generation = -1
        new.set(slot, list, newLayout)
      }
      old.free(layout)
      original = nil
    }
    layout = newLayout
    row = new
    version = newVersion
  }
}

extension EntityLayout {
  /// The slots with columns that a save may write: derived ones are written by the store.
  var writtenSlots: [Int] {
    derivedSlots.isEmpty ? columnSlots : columnSlots.filter { !derivedSlots.contains($0) }
  }

  /// The numbers that history knows properties by, each once.
  func propertyNumbers(_ slots: [Int]) -> [Int] {
    var seen: Set<Int> = []
    return slots.map { self.slots[$0].number }.filter { $0 > 0 && seen.insert($0).inserted }
  }
}
