import DataModel
import SQLiteDriver

extension ModelContext {
  /// Writes all changes in one transaction; when it throws, nothing was written and every change is
  /// still there to be mended and saved again.
  public func save() throws {
    checkAccess("saving")
    if hasChanges { takeInArrived() } else { receiveChanges() }
    guard hasChanges else { return }
    do {
      try listeners?.tellWillSave(self)
      watcher?.willSave()
      try writeAtLast()
    } catch {
      listeners?.tellSaveEnd(didSave: false)
      throw error
    }
    listeners?.tellSaveEnd(didSave: true)
    if inbox.wantsOwn { takeInArrived() }
  }

  /// How often a save gives way to what others commit before it is written all the same.
  private static let waysGivenMax = 4

  private func writeAtLast() throws {
    guard readConnection == nil else { return try write(refusingOvertaken: false) }
    for _ in 0..<Self.waysGivenMax {
      do {
        return try write(refusingOvertaken: true)
      } catch {
        // What stands in the way may be of a state that is no more.
        guard error is Overtaken || hasMissedCommits else { throw error }
        receiveChanges()
      }
    }
    try write(refusingOvertaken: false)
  }

  /// Whether others have committed what the context has not heard of; where that cannot be asked, another error than
  /// that is the one to tell.
  private var hasMissedCommits: Bool {
    readConnection == nil && (try? store.receiveRemoteChanges()) == true
  }

  /// Writes all changes; throws `Overtaken`, if that is to be refused, where other processes have committed what the
  /// context has not heard of, or another context what may have deleted something.
  ///
  /// The transaction finds that out as it begins: asking before would be a transaction of its own.
  private func write(refusingOvertaken: Bool) throws {
    guard hasChanges else { return }
    if !pendingDeletions.isEmpty { try dropDoomedInserts() }
    forgetWhatIsGone()
    if isValidating { try validate() }
    let saving = Saving(self)
    do {
      try store.write(author: author, from: self, refusingOvertaken: refusingOvertaken) {
        if refusingOvertaken, inbox.mayHaveDeletions { throw Overtaken() }
        // Without that others may have related something to what is deleted, at any time.
        saving.obeysRulesAnew = !refusingOvertaken || isDeletionOvertaken || inbox.hasOthers
        saving.asksForAll = !refusingOvertaken
        try saving.write($0)
      }
    } catch {
      saving.takeBack()
      throw error
    }
    saving.settle()
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
  /// New objects, in the order in which they get their keys.
  let inserted: [ManagedObject]
  private(set) var updated: [ManagedObject]
  private let deleted: [ManagedObject]
  private var temporaryKeys: [Int64] = []
  /// What batch deletes within the save have changed.
  private var batchChanges: ChangeSet?
  /// Versions that updated objects have now.
  private var versions: [Int64] = []
  /// Objects that are read again after the save, since the store's values stand.
  private var refreshed: [ManagedObject] = []
  /// Objects that the store has no longer, and that were not to be saved over that.
  private var lost: [ManagedObject] = []
  /// Objects whose deletion is dropped.
  private var spared: Set<ObjectIdentifier> = []
  private var conflicts: [StoreError] = []
  /// New objects that turned out to be ones that the store has, by a unique constraint, with the
  /// versions that they get.
  private(set) var upserted: [Int: Int64] = [:]
  /// Whether others may have related objects to those that are deleted, after the delete rules were obeyed here.
  var obeysRulesAnew = false
  /// Whether others may have committed what the context has not heard of.
  var asksForAll = false
  /// References that are not saved.
  var taken: [TakenReference] = []
  /// What the save does, where it is only rehearsed.
  var rehearsal: SaveRehearsal?

  /// What the transaction did besides.
  private var outcome: WriteOutcome?

  init(_ context: ModelContext) {
    self.context = context
    let inserted = context.insertedObjects
    self.inserted =
      context.uniquePolicy == .upsert && context.store.layout.hasUniqueReferences
      ? KeyOrder.of(inserted) : inserted
    updated = context.updatedObjects
    deleted = context.deletedObjects
  }

  func write(_ transaction: WriteTransaction) throws {
    outcome = transaction.outcome
    try takeOutGone(transaction)
    try giveKeys(transaction)
    for (index, object) in inserted.enumerated() {
      if upserted[index] != nil {
        upserted[index] = try writeUpsert(object, transaction)
      } else if let row = object.row {
        try transaction.insert(object.layout, key: object.key, row: row)
      }
    }
    versions.reserveCapacity(updated.count)
    for object in updated { versions.append(try writeUpdate(object, transaction)) }
    try writePairs(transaction)
    try writeDeletions(transaction)
    if context.isValidating { try UniqueCheck(transaction).check(inserted, updated) }
    guard conflicts.isEmpty else {
      throw StoreError(
        .conflict, "save", "\(counted(conflicts.count, "object")) changed in the store meanwhile",
        fix: "roll back and read them again, or choose a merge policy", failures: conflicts)
    }
  }

  /// Gives every new object its key before anything is written, since rows refer to one another.
  private func giveKeys(_ transaction: WriteTransaction) throws {
    temporaryKeys.reserveCapacity(inserted.count)
    var unique: UpsertSearch?
    for (index, object) in inserted.enumerated() {
      temporaryKeys.append(object.key)
      if !object.layout.uniqueness.isEmpty, context.uniquePolicy == .upsert {
        var search = unique ?? UpsertSearch(transaction, updated: updated, deleted: deleted)
        defer { unique = search }
        if let found = try search.existing(object) {
          upserted[index] = 0
          object.key = found
          // What was changed of the old one is written over.
          updated.removeAll { $0.key == found && $0.layout.root == object.layout.root }
          continue
        }
        object.key = try transaction.newKey(object.layout)
        search.note(object)
        continue
      }
      object.key = try transaction.newKey(object.layout)
    }
  }

  /// Puts back what was changed of the objects, after a failure.
  func takeBack() {
    for (object, key) in zip(inserted, temporaryKeys) { object.key = key }
    giveBackReferences()
  }

  /// Writes a new object over the one that has what is unique about it; returns the version.
  private func writeUpsert(
    _ object: ManagedObject, _ transaction: WriteTransaction
  ) throws -> Int64 {
    let version = try transaction.version(object.layout, key: object.key) ?? 0
    guard let row = object.row else { return version }
    let slots = object.layout.writtenSlots
    _ = try transaction.update(
      object.layout, key: object.key, version: version, row: row, slots: slots)
    try transaction.log.updated(
      object.layout.number, object.key, object.layout.propertyNumbers(slots))
    return version &+ 1
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
      rehearsal?.noteUpdate(of: object, slots)
      if rehearsal == nil { object.missed = .nothing }
      return object.version &+ 1
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
      context.miss(object, .update)
      return object.version
    }
    refreshed.append(object)
    if write.isEmpty { return stored.version }
    if write.count > slots.count { try takeOutGoneOfAll(object, transaction) }
    rehearsal?.noteUpdate(of: object, write)
    _ = try transaction.update(
      layout, key: object.key, version: stored.version, row: row, slots: write)
    try transaction.log.updated(layout.number, object.key, layout.propertyNumbers(write))
    return stored.version &+ 1
  }

  /// The object was deleted meanwhile.
  private func resolveGone(
    _ object: ManagedObject, _ transaction: WriteTransaction
  ) throws -> Int64 {
    switch context.mergePolicy {
    case .error:
      conflicts.append(.deletedMeanwhile(object))
      context.miss(object, .deletion)
    case .mergeByPropertyStoreTrump, .rollback:
      lost.append(object)
      rehearsal?.noteLoss(of: object)
    case .mergeByPropertyObjectTrump, .overwrite:
      if let row = object.row {
        try takeOutGoneOfAll(object, transaction)
        rehearsal?.noteUpdate(of: object, object.layout.writtenSlots)
        let version = object.version &+ WriteTransaction.versionJump
        try transaction.insert(object.layout, key: object.key, row: row)
        try transaction.setVersion(version, object.layout, key: object.key)
        refreshed.append(object)
        return version
      }
    }
    return object.version
  }

  private func writeDeletions(_ transaction: WriteTransaction) throws {
    let doomed = try deleted.filter { try isDoomed($0, transaction) }
    let isNothing = doomed.isEmpty && context.pendingDeletions.isEmpty
    if isNothing || !conflicts.isEmpty { return }
    for object in doomed { try writeDeletion(object, transaction) }
    batchChanges = try transaction.changes {
      let batch = BatchDeleting(context.store, transaction)
      if obeysRulesAnew && context.isValidating && !doomed.isEmpty {
        try batch.finish(doomed)
      } else {
        try transaction.unlink(doomed)
      }
      for deletion in context.pendingDeletions { _ = try batch.run(deletion.query, .statusOnly) }
    }
    if context.isValidating { try transaction.checkEmptied() }
  }

  /// Whether the merge policy lets an object be deleted that others may have changed.
  private func isDoomed(_ object: ManagedObject, _ transaction: WriteTransaction) throws -> Bool {
    guard context.mergePolicy == .error || context.mergePolicy == .rollback,
      let stored = try transaction.version(object.layout, key: object.key),
      stored != object.version
    else { return true }
    if context.mergePolicy == .error {
      conflicts.append(.conflict(object, [], []))
      context.miss(object, .update)
    } else {
      spared.insert(ObjectIdentifier(object))
      rehearsal?.noteLoss(of: object)
    }
    return false
  }

  private func writeDeletion(_ object: ManagedObject, _ transaction: WriteTransaction) throws {
    guard try transaction.delete(object.layout, key: object.key) else {
      rehearsal?.noteLoss(of: object)
      return
    }
    try transaction.log.deleted(
      object.layout.number, object.key,
      Tombstone.bytes(object.original ?? object.row, object.layout, context.store.extras.values))
  }

  /// After the commit: objects are as the store has them.
  func settle() {
    settleInserted()
    for (object, version) in zip(updated, versions) {
      object.version = version
      object.becomeClean()
    }
    for object in deleted {
      if spared.contains(ObjectIdentifier(object)) {
        object.becomeClean()
        refreshed.append(object)
      } else {
        object.state = .gone
        object.keptModel = nil
      }
      object.missed = .nothing
    }
    for object in context.withRelatedChanges {
      object.settleRelated(generation: context.generation)
    }
    let isStale =
      context.hasDeletions || !refreshed.isEmpty || !lost.isEmpty || !upserted.isEmpty
      || !context.overtaken.isEmpty || !taken.isEmpty
    let overtaken = context.overtaken
    context.endChanges()
    // Lists may have members that the save did away with, or lack some: they are read again.
    if isStale { context.generation += 1 }
    for object in refreshed {
      object.missed = .nothing
      object.turnIntoFault()
      context.live?.willChange(object)
    }
    for object in lost {
      object.missed = .nothing
      object.state = .gone
      context.live?.willChange(object)
    }
    for object in overtaken where object.state == .clean { context.takeInMissed(object) }
    outcome?.settle(in: context)
    if let batchChanges { context.receiveOwn(batchChanges) }
    tellTakenReferences()
  }

  private func settleInserted() {
    for (index, object) in inserted.enumerated() {
      let box = context.identities[object.layout.root]
      box.remove(object, temporaryKeys[index])
      if let version = upserted[index] {
        // One identity is one object: the new one takes the place of whichever was there.
        box[object.key]?.giveUpPlace()
        object.version = version
        refreshed.append(object)
      } else {
        object.version = 1
      }
      box.insert(object, object.key)
      object.becomeClean()
    }
  }
}

extension WriteTransaction {
  /// How far the version of an object that is saved after its deletion is ahead of the one that was
  /// changed: nobody who still has an older one may take it for theirs.
  static let versionJump: Int64 = 1 << 20

  fileprivate func setVersion(
    _ version: Int64, _ entity: EntityLayout, key: Int64
  ) throws(SQLiteError) {
    let statement = try connection.statement(
      "UPDATE \(quoted(entity.table)) SET _version = ?1 WHERE _id = ?2")
    statement.bind(1, version)
    statement.bind(2, key)
    try statement.run()
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
  fileprivate func becomeClean() {
    state = .clean
    changed.removeAll()
    original?.free(layout)
    original = nil
    keptModel = nil
    guard let row = heldRow else { return }
    for slot in layout.slots.indices
    where layout.slots[slot].kind == .reference && row.isPresent(slot) {
      let reference = row.reference(slot, layout)
      if let object = reference.object {
        // What was never saved is referred to by nothing.
        if object.key > 0 {
          row.set(slot, ReferenceSlot(key: object.key, object: nil), layout)
        } else {
          row.clear(slot, layout)
        }
      }
    }
  }

  /// Another object has the identity from now on.
  fileprivate func giveUpPlace() {
    state = .gone
    keptModel = nil
    context = nil
  }

  fileprivate func settleRelated(generation: Int) {
    guard let row = heldRow ?? original else { return }
    for slot in layout.slots.indices
    where layout.slots[slot].kind == .related && row.isPresent(slot) {
      row.related(slot, layout).settle(generation: generation)
    }
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
