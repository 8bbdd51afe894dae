/// One zone in memory: its records by name, and the order of their last changes.
struct MemoryZone {
  var row: ZoneRow
  /// When the zone was deleted, in milliseconds since 1970.
  var deletedAt: Int64 = 0
  private(set) var records: [ExactName: RecordRow] = [:]
  private(set) var references: [ExactName: [ReferenceRow]] = [:]
  /// The assets of records that have some.
  var assets: [ExactName: [AssetAddress]] = [:]
  var index = MemoryIndex()
  /// The sums of the live records' digests.
  var digest = ZoneDigest()
  /// Changes in their order; one that a later change of the same record has overtaken is passed over.
  private var log: [Change] = []

  private struct Change {
    var sequence: UInt64
    var name: ExactName
  }

  /// How many overtaken changes are kept for each that counts, before the list is made anew.
  private static let overtakenMax = 1

  init(_ row: ZoneRow) { self.row = row }

  /// Puts a record that has its number: numbers only grow.
  mutating func put(_ record: RecordRow, _ references: [ReferenceRow]) {
    let name = ExactName(record.name)
    records[name] = record
    self.references[name] = references.isEmpty ? nil : references
    log.append(Change(sequence: record.sequence, name: name))
    if log.count > (Self.overtakenMax + 1) * records.count + 16 { tidy() }
  }

  /// Puts back what was there before a change that is undone; nothing where there was no record.
  mutating func putBack(_ name: ExactName, _ record: RecordRow?, _ references: [ReferenceRow]?) {
    records[name] = record
    self.references[name] = references
  }

  mutating func remove(_ name: ExactName) {
    records[name] = nil
    index.set([], of: name)
    references[name] = nil
    assets[name] = nil
  }

  /// Shows the records changed after one number and not after another, in the order of the changes
  /// or against it, for as long as `body` wants more.
  func forEachChange(
    after sequence: UInt64, upTo end: UInt64, _ order: ChangeOrder, _ body: (RecordRow) -> Bool
  ) {
    let start = place(after: sequence)
    let range = start..<max(start, place(after: end))
    for step in range {
      let index = order == .oldestFirst ? step : range.lowerBound + (range.upperBound - 1 - step)
      guard let record = records[log[index].name], record.sequence == log[index].sequence else {
        continue
      }
      if !body(record) { return }
    }
  }

  private func place(after sequence: UInt64) -> Int {
    var low = 0
    var high = log.count
    while low < high {
      let middle = low + (high - low) / 2
      if log[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Makes the list of changes anew, from the records.
  mutating func tidy() {
    log = records.map { Change(sequence: $1.sequence, name: $0) }
      .sorted { $0.sequence < $1.sequence }
  }
}
