import SQLiteDriver

extension Saving {
  /// Writes the pairs of relationships that have tables of their own, and an update of both ends.
  func writePairs(_ transaction: WriteTransaction) throws {
    var touched = TouchedObjects()
    for change in context.pairChanges.changes {
      let (source, target) = (change.source, change.target)
      if source.key < 0 || target.key < 0 { continue }
      if change.isAdded && !(source.isUsable && target.isUsable) { continue }
      var isChanged = try transaction.writePair(change)
      if change.isMirrored && source !== target {
        isChanged = try transaction.writePair(change.fromOtherEnd) || isChanged
      }
      guard isChanged else { continue }
      touched.note(source, change.sourceSlot)
      touched.note(target, change.targetSlot)
    }
    let written = Set(upserted.keys.map { ObjectIdentifier(inserted[$0]) })
    for (object, slots) in touched.objects
    where object.state == .clean || object.state == .updated
      || written.contains(ObjectIdentifier(object))
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

extension PairChanges.Change {
  /// The same pair, seen from the other end.
  var fromOtherEnd: Self {
    var other = self
    swap(&other.source, &other.target)
    swap(&other.sourceSlot, &other.targetSlot)
    return other
  }
}

extension WriteTransaction {
  /// Makes or undoes one pair, with the places that the ends' lists say; false where nothing changes.
  func writePair(_ change: PairChanges.Change) throws(SQLiteError) -> Bool {
    let table = quoted(change.table)
    let statement: Statement
    if change.isAdded {
      statement = try connection.statement(
        // Others may have deleted an end meanwhile.
        """
        INSERT INTO \(table) (source, target, source_order, target_order) SELECT ?1, ?2, ?3, ?4 \
        WHERE EXISTS (SELECT 1 FROM \(quoted(change.source.layout.table)) WHERE _id = ?1) \
        AND EXISTS (SELECT 1 FROM \(quoted(change.target.layout.table)) WHERE _id = ?2) \
        ON CONFLICT DO UPDATE SET source_order = ?3, target_order = ?4 \
        WHERE source_order IS NOT ?3 OR target_order IS NOT ?4
        """)
      bind(statement, 3, change.target.place(of: change.source, change.targetSlot))
      bind(statement, 4, change.source.place(of: change.target, change.sourceSlot))
    } else {
      statement = try connection.statement(
        "DELETE FROM \(table) WHERE source = ?1 AND target = ?2")
    }
    statement.bind(1, change.source.key)
    statement.bind(2, change.target.key)
    try statement.run()
    return connection.changes > 0
  }

  private func bind(_ statement: Statement, _ parameter: Int32, _ value: Int64?) {
    if let value { statement.bind(parameter, value) } else { statement.bindNull(parameter) }
  }
}

extension ManagedObject {
  /// The place of `object` in the order of a relationship; nil where it has none.
  fileprivate func place(of object: ManagedObject, _ slot: Int?) -> Int64? {
    guard let slot, layout.slots[slot].keepsPlaces, let list = changedList(slot) else { return nil }
    return list.place(list.held.first { $0.value === object }?.key ?? object.key)
  }
}
