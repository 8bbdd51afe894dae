import DataModel

// Indexes.
extension MemoryTransaction {
  /// The records with entries of a slot.
  func scan(_ scan: IndexScan, in key: ZoneKey, limit: Int) throws -> [IndexedRow] {
    _ = try live(key)
    guard let zone = state.zones[key] else { return [] }
    return zone.index.scan(scan).prefix(max(0, limit)).compactMap { entry in
      zone.records[entry.name].map { IndexedRow(entry.value, $0) }
    }
  }

  /// How many entries a scan has, up to a limit.
  func count(_ scan: IndexScan, in key: ZoneKey, limit: Int) throws -> Int {
    _ = try live(key)
    return min(limit, state.zones[key]?.index.scan(scan).count ?? 0)
  }

  /// The live records of a type by name.
  func records(
    ofType type: String, in key: ZoneKey, from start: IndexScan.Place?, isDescending: Bool,
    limit: Int
  ) throws -> [RecordRow] {
    _ = try live(key)
    let slot = IndexSlot(type: type, field: "", kind: .value)
    let scan = IndexScan(
      slot, isDescending: isDescending,
      start: start.map { IndexScan.Place([], $0.name, isIncluded: $0.isIncluded) })
    let found = (state.zones[key]?.records.values).map { records in
      records.filter { $0.type == type && !$0.isDeleted && scan.reaches([], $0.name) }
    }
    let sorted = (found ?? []).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) != isDescending
    }
    return Array(sorted.prefix(max(0, limit)))
  }

  /// The indexes that are being filled.
  func pendingIndexes() throws -> [PendingIndex] {
    state.pending.values.sorted {
      ($0.key.type, $0.key.field, $0.key.index.rawValue)
        < ($1.key.type, $1.key.field, $1.key.index.rawValue)
    }
  }

  /// Notes how far an index is filled.
  func setPendingIndex(_ key: IndexKey, _ pending: PendingIndex?) throws {
    try checkWriting()
    let old = state.pending[key]
    state.pending[key] = pending
    undos.append { $0.pending[key] = old }
  }

  /// All records at once: there is no disk that makes others wait.
  func records(after position: UInt64, limit: Int) throws -> RecordBatch {
    let all = state.zones.flatMap { key, zone in
      zone.records.values.map { FoundRecord(key, $0) }
    }
    return RecordBatch(position == 0 ? all : [], position: 1, isLast: true)
  }

  /// Gives a record that is there other entries.
  func setEntries(_ entries: [IndexEntry], of record: RecordKey) {
    let name = ExactName(record.name)
    let old = state.zones[record.zone]?.index.entries[name] ?? []
    if old == entries { return }
    state.zones[record.zone]?.index.set(entries, of: name)
    undos.append { $0.zones[record.zone]?.index.set(old, of: name) }
  }

  /// Takes the entries of a slot away at once.
  func retire(_ slot: IndexSlot) throws {
    try checkWriting()
    for (key, var zone) in state.zones {
      zone.index.remove(slot)
      change(key, to: zone)
    }
  }

  /// There are none: they go at once.
  func dropRetiredEntries(limit: Int) throws -> Bool { true }
}
