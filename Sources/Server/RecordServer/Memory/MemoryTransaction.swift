import RecordWire

/// A transaction of a storage in memory: it changes the state at once, and remembers how to undo it.
final class MemoryTransaction: StorageTransaction {
  var state: MemoryState
  private let isReading: Bool
  var undos: [(inout MemoryState) -> Void] = []
  /// The zones whose records were written.
  private var written: Set<ZoneKey> = []

  init(_ state: consuming MemoryState, isReading: Bool) {
    self.state = state
    self.isReading = isReading
  }

  /// Takes back everything, the last change first.
  func undo() {
    for undo in undos.reversed() { undo(&state) }
    for key in written { state.zones[key]?.tidy() }
    undos = []
  }

  /// Remembers how to take back a change of the state.
  func remember(_ undo: @escaping (inout MemoryState) -> Void) { undos.append(undo) }

  func checkWriting() throws {
    if isReading { throw StorageFailure.readOnly }
  }

  func live(_ key: ZoneKey) throws -> ZoneRow {
    guard let row = state.zones[key]?.row, !row.isDeleted else { throw StorageFailure.noZone(key) }
    return row
  }
}

// Zones.
extension MemoryTransaction {
  /// Tells this storage's databases from others of their names.
  func epoch() throws -> UInt64 { state.epoch }

  /// The version of the container's schema.
  func schemaVersion() throws -> Int64? { state.schema?.version }

  /// The stored form of the container's schema.
  func schema() throws -> [UInt8]? { state.schema?.stored }

  /// Keeps the stored form of the container's schema.
  func setSchema(_ stored: [UInt8], version: Int64) throws {
    try checkWriting()
    let old = state.schema
    state.schema = (version, stored)
    undos.append { $0.schema = old }
  }

  /// The zone of that key, also a deleted one.
  func zone(_ key: ZoneKey) throws -> ZoneRow? { state.zones[key]?.row }

  /// The zones of a database that were changed after a number, in the order of the changes.
  func zones(
    of database: DatabaseKey, after sequence: UInt64, limit: Int
  ) throws -> [ZoneRow] {
    let changed = state.zones.values.map(\.row).filter {
      $0.key.database == database && $0.databaseSequence > sequence
    }
    return Array(
      changed.sorted { $0.databaseSequence < $1.databaseSequence }.prefix(max(0, limit)))
  }

  /// The number of the last change to any zone of a database.
  func databaseSequence(_ database: DatabaseKey) throws -> UInt64 {
    state.databases[database] ?? 0
  }

  /// Makes a zone, or makes a deleted one anew.
  func createZone(_ key: ZoneKey, epoch: UInt64) throws -> ZoneRow {
    try checkWriting()
    var row = ZoneRow(key, epoch: epoch, databaseSequence: try nextNumber(key))
    row.follow(state.zones[key]?.row)
    dropAssets(ofZone: key)
    change(key, to: MemoryZone(row))
    return row
  }

  /// Takes a zone away with all of its records, and remembers that it was deleted.
  func deleteZone(_ key: ZoneKey, at moment: Int64) throws {
    try checkWriting()
    var row = try live(key)
    for (name, references) in state.zones[key]?.references ?? [:] {
      link(RecordKey(key, name.text), from: references, to: [])
    }
    dropAssets(ofZone: key)
    row.databaseSequence = try nextNumber(key)
    row.isDeleted = true
    var zone = MemoryZone(row)
    zone.deletedAt = moment
    change(key, to: zone)
  }

  /// Takes every zone away.
  func deleteAllZones(at moment: Int64) throws {
    let live = state.zones.values.map(\.row).filter { !$0.isDeleted }
    for row in live.sorted(by: { $0.databaseSequence < $1.databaseSequence }) {
      try deleteZone(row.key, at: moment)
    }
  }

  /// Begins a new history.
  func renewEpochs(salt: UInt64) throws {
    state.epoch = HistoryEpoch.renewed(state.epoch, salt: salt)
    for key in state.zones.keys {
      guard let row = state.zones[key]?.row else { continue }
      state.zones[key]?.row.renew(HistoryEpoch.renewed(row.epoch, salt: salt))
    }
  }

  /// Nothing is left: records go with their zone at once.
  func dropRemains(limit: Int) throws -> Bool { true }

  /// The zones of a database that are there.
  func liveZones(of database: DatabaseKey, limit: Int) throws -> [ZoneRow] {
    let live = try zones(of: database, after: 0, limit: .max).filter { !$0.isDeleted }
    return Array(live.prefix(max(0, limit)))
  }

  /// How many zones of a database are there.
  func liveZoneCount(of database: DatabaseKey) throws -> Int {
    try liveZones(of: database, limit: .max).count
  }

  /// Up to which number deleted zones were forgotten.
  func databaseFloor(_ database: DatabaseKey) throws -> UInt64 {
    state.databaseFloors[database] ?? 0
  }

  /// Forgets zones that were deleted before a moment, and raises the floors of their databases.
  func forgetZones(deletedBefore moment: Int64, limit: Int) throws -> Int {
    try checkWriting()
    let old = state.zones.values.filter { $0.row.isDeleted && $0.deletedAt < moment }
    let forgotten = old.sorted { $0.deletedAt < $1.deletedAt }.prefix(max(0, limit))
    for zone in forgotten {
      let key = zone.row.key
      let floor = state.databaseFloors[key.database]
      state.databaseFloors[key.database] = max(floor ?? 0, zone.row.databaseSequence)
      state.zones[key] = nil
      remember { state in
        state.databaseFloors[key.database] = floor
        state.zones[key] = zone
      }
    }
    return forgotten.count
  }

  /// How many bytes the fields of a database's records take.
  func bytesUsed(by database: DatabaseKey) throws -> Int64 {
    state.zones.values.reduce(0) { sum, zone in
      guard zone.row.key.database == database else { return sum }
      return zone.records.values.reduce(sum) { $0 + Int64($1.byteCount) }
    }
  }

  /// How far the tombstones of each live zone go that were made before a moment.
  func tombstones(madeBefore moment: Int64) throws -> [ZoneKey: UInt64] {
    state.zones.compactMapValues { zone in
      zone.records.values.filter { $0.isDeleted && $0.modified.timestamp < moment }
        .map(\.sequence).max()
    }
  }

  /// Takes away tombstones up to a number.
  func dropTombstones(of key: ZoneKey, upTo sequence: UInt64) throws {
    try checkWriting()
    var row = try live(key)
    guard sequence > row.floor else { return }
    guard var zone = state.zones[key] else { return }
    row.floor = min(sequence, row.sequence)
    var dropped: [ExactName] = []
    zone.forEachChange(after: 0, upTo: sequence, .oldestFirst) { record in
      if record.isDeleted { dropped.append(ExactName(record.name)) }
      return true
    }
    for name in dropped { zone.remove(name) }
    zone.row = row
    change(key, to: zone)
  }

  func change(_ key: ZoneKey, to zone: MemoryZone) {
    let old = state.zones.updateValue(zone, forKey: key)
    undos.append { $0.zones[key] = old }
  }

  /// Counts a change of a zone among those of its database.
  private func nextNumber(_ key: ZoneKey) throws -> UInt64 {
    let last = state.databases[key.database]
    let next = try Self.following(last ?? 0, key)
    state.databases[key.database] = next
    undos.append { $0.databases[key.database] = last }
    return next
  }

  private static func following(_ number: UInt64, _ key: ZoneKey) throws -> UInt64 {
    let (next, isOver) = number.addingReportingOverflow(1)
    if isOver { throw StorageFailure.numbersExhausted(key) }
    return next
  }
}

// Records.
extension MemoryTransaction {
  /// The records of those names, tombstones too.
  func records(_ names: [String], in zone: ZoneKey) throws -> [RecordRow?] {
    _ = try live(zone)
    return names.map { state.zones[zone]?.records[ExactName($0)] }
  }

  /// Whether there are live records of those names.
  func areThere(_ names: [String], in zone: ZoneKey) throws -> [Bool] {
    try records(names, in: zone).map { $0?.isDeleted == false }
  }

  /// Writes records of one zone as one commit.
  func write(_ records: [RecordWrite], in key: ZoneKey) throws -> [RecordRow] {
    try checkWriting()
    let before = try live(key)
    if records.isEmpty { return [] }
    var row = before
    row.databaseSequence = try nextNumber(key)
    let commit = try Self.following(row.sequence, key)
    written.insert(key)
    var stored: [RecordRow] = []
    stored.reserveCapacity(records.count)
    for record in records {
      row.sequence = try Self.following(row.sequence, key)
      var numbered = record.row
      numbered.sequence = row.sequence
      numbered.commit = commit
      put(numbered, record, key)
      try setAssets(of: ExactName(numbered.name), in: key, to: record.assets)
      stored.append(numbered)
    }
    state.zones[key]?.row = row
    undos.append { $0.zones[key]?.row = before }
    applyToDigest(DigestChange(records), key)
    return stored
  }

  private func applyToDigest(_ change: DigestChange, _ key: ZoneKey) {
    let old = state.zones[key]?.digest
    state.zones[key]?.digest.apply(change)
    undos.append { state in
      if let old { state.zones[key]?.digest = old }
    }
  }

  /// The sums of a zone's digests.
  func digest(of zone: ZoneKey) throws -> ZoneDigest {
    _ = try live(zone)
    return state.zones[zone]?.digest ?? ZoneDigest()
  }

  private func put(_ record: RecordRow, _ write: RecordWrite, _ key: ZoneKey) {
    let name = ExactName(record.name)
    let references = write.references
    let old = state.zones[key]?.records[name]
    let oldReferences = state.zones[key]?.references[name]
    link(RecordKey(key, record.name), from: oldReferences ?? [], to: references)
    state.zones[key]?.put(record, references)
    setEntries(write.entries, of: RecordKey(key, record.name))
    undos.append { $0.zones[key]?.putBack(name, old, oldReferences) }
  }

  /// Notes in the targets who refers to them.
  private func link(
    _ record: RecordKey, from old: [ReferenceRow], to new: [ReferenceRow]
  ) {
    let (left, met) = (Set(old.map(\.target)), Set(new.map(\.target)))
    for target in left.subtracting(met) { setLink(record, target, false) }
    for target in met.subtracting(left) { setLink(record, target, true) }
  }

  private func setLink(_ record: RecordKey, _ target: RecordKey, _ isThere: Bool) {
    state.link(record, target, isThere)
    undos.append { $0.link(record, target, !isThere) }
  }

  /// The records that refer to one of `targets`.
  func sources(of targets: [RecordKey], limit: Int) throws -> [ReferenceSource] {
    let found = targets.flatMap { target -> [ReferenceSource] in
      let records = state.sources[target] ?? []
      return records.flatMap { record -> [ReferenceSource] in
        let references = state.zones[record.zone]?.references[ExactName(record.name)] ?? []
        return references.filter { $0.target == target }.map { ReferenceSource(record, $0) }
      }.sorted { $0.record.precedes($1.record) }
    }
    return Array(found.prefix(max(0, limit)))
  }

  /// The records of a zone that were changed after one number and not after another.
  func changes(
    of zone: ZoneKey, after sequence: UInt64, upTo end: UInt64, order: ChangeOrder,
    limit: PageLimit, withTombstones: Bool
  ) throws -> ChangeRows {
    _ = try live(zone)
    var found = ChangeRows()
    guard let zone = state.zones[zone] else { return found }
    zone.forEachChange(after: sequence, upTo: end, order) { record in
      if !record.isDeleted || withTombstones { found.append(record, limit) }
      return found.next == nil
    }
    return found
  }
}

extension MemoryState {
  fileprivate mutating func link(_ record: RecordKey, _ target: RecordKey, _ isThere: Bool) {
    if isThere {
      sources[target, default: []].insert(record)
    } else {
      sources[target]?.remove(record)
      if sources[target]?.isEmpty == true { sources[target] = nil }
    }
  }
}
