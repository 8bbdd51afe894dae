import DataModel
import SQLiteDriver

// Reads what objects need when they need it.
extension ModelContext {
  /// Runs `body` in one read transaction: all that it reads is of one moment, and reading many
  /// objects one by one costs less than half.
  ///
  /// A save within `body` is not seen by what it reads afterwards, but in stores that have one
  /// connection for everything: those in memory and those whose files are written whole.
  public func reading<Result>(_ body: () throws -> Result) throws -> Result {
    if readConnection != nil { return try body() }
    return try store.read { connection in
      readConnection = connection
      defer { readConnection = nil }
      return try body()
    }
  }

  /// Lends a connection that reads: that of `reading`, or any.
  @inline(__always)
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    if let readConnection { return try body(readConnection) }
    return try store.read(body)
  }

  /// How many faults that were handed out together are read together.
  static let faultBatchMax = 256

  /// Reads the values of a fault; afterwards it has some, or is marked as gone and reported.
  func fulfil(_ object: ManagedObject) {
    if object.key < 0 || object.state == .gone { return }
    do {
      try read(faultBatch.faults(from: object, count: Self.faultBatchMax) ?? [object])
      if object.isFault { markGone(object) }
    } catch {
      note(
        (error as? StoreError)
          ?? StoreError(.readFailed, object.layout.name, "cannot be read: \(error)"))
    }
  }

  /// Reads the values of faults of one hierarchy.
  func read(_ objects: [ManagedObject]) throws {
    guard let first = objects.first else { return }
    let root = store.layout.entities[first.layout.root]
    let reader = store.families[root.index]
    try read { connection in
      if objects.count == 1 {
        try reader.readOne(first.key, connection) { layout, row, version in
          take(first, layout, row, version)
        }
        return
      }
      try reader.readMany(objects.map(\.key), connection) { key, layout, row, version in
        if let object = registered(key, layout) {
          take(object, layout, row, version)
        } else {
          row.free(layout)
        }
      }
    }
  }

  /// Gives a fault its values; values of an object that has some are dropped.
  private func take(_ object: ManagedObject, _ layout: EntityLayout, _ row: Row, _ version: Int64) {
    // A row of another entity is not the object that was asked for: its slots are others.
    guard object.isFault, object.state == .clean, object.layout.family.contains(layout.index)
    else { return row.free(layout) }
    object.take(layout, row, version: version)
  }

  /// Notes that the store has an object no longer: it keeps what was last known of it.
  func markGone(_ object: ManagedObject) {
    object.state = .gone
    if hasChanges { hasUnsureReferences = true }
    // The key may be that of an object of another entity, which is to be found again.
    identities[object.layout.root].remove(object, object.key)
    outsideTables.append(WeakObject(object: object))
    note(
      StoreError(
        .missingObject, "\(object.layout.name) \(object.key)",
        "is no longer in the store; its last known values are shown"))
  }

  /// Notes that these objects were handed out together.
  func expectReading(_ objects: [ManagedObject]) {
    if objects.count > 1 { faultBatch = FaultBatch(objects) }
  }

  /// The bytes of a value that is in a file beside the store, which are then kept in the slot; that
  /// changes nothing about the object.
  func externalBytes(_ file: ExternalValue, of object: ManagedObject, _ slot: Int) -> [UInt8]? {
    let subject = "\(object.layout.name).\(object.layout.slots[slot].name)"
    do throws(StoreError) {
      guard let bytes = try store.extras.values?.read(file.name) else {
        throw StoreError.missingValueFile(file.name, subject)
      }
      object.row?.set(slot, BytesSlot(bytes: bytes, file: file), object.layout)
      return bytes
    } catch {
      // A view may ask again and again.
      if !notedProblems.contains(error) { note(error) }
      return nil
    }
  }
}

// Reads rows of one entity, or of a hierarchy that shares a table.
extension FamilySQL {
  func readOne(
    _ key: Int64, _ connection: Connection, _ body: (EntityLayout, Row, Int64) -> Void
  ) throws(SQLiteError) {
    let statement = try connection.statement(selectOne)
    defer { statement.reset() }
    statement.bind(1, key)
    guard try statement.step() else { return }
    let (layout, row) = row(statement)
    body(layout, row, statement.integer(1))
  }

  func readMany(
    _ keys: [Int64], _ connection: Connection, _ body: (Int64, EntityLayout, Row, Int64) -> Void
  ) throws(SQLiteError) {
    let statement = try connection.statement(selectMany)
    defer { statement.reset() }
    statement.bind(1, KeyList.text(keys))
    while try statement.step() {
      let (layout, row) = row(statement)
      body(statement.integer(0), layout, row, statement.integer(1))
    }
  }
}
