/// One zone in memory: its records by name, and the order of their last changes.
struct MemoryZone {
  var row: ZoneRow
  private(set) var records: [String: RecordRow] = [:]
  private(set) var references: [String: [ReferenceRow]] = [:]
  var index = MemoryIndex()
  /// Changes in their order; one that a later change of the same record has overtaken is passed over.
  private var log: [Change] = []

  private struct Change {
    var sequence: UInt64
    var name: String
  }

  /// How many overtaken changes are kept for each that counts, before the list is made anew.
  private static let overtakenMax = 1

  init(_ row: ZoneRow) { self.row = row }

  /// Puts a record that has its number: numbers only grow.
  mutating func put(_ record: RecordRow, _ references: [ReferenceRow]) {
    records[record.name] = record
    self.references[record.name] = references.isEmpty ? nil : references
    log.append(Change(sequence: record.sequence, name: record.name))
    if log.count > (Self.overtakenMax + 1) * records.count + 16 { tidy() }
  }

  /// Puts back what was there before a change that is undone; nothing where there was no record.
  mutating func putBack(_ name: String, _ record: RecordRow?, _ references: [ReferenceRow]?) {
    records[name] = record
    self.references[name] = references
  }

  mutating func remove(_ name: String) {
    records[name] = nil
    index.set([], of: name)
    references[name] = nil
  }

  /// Records changed after one number and not after another, in the order of the changes.
  func changes(after sequence: UInt64, upTo end: UInt64) -> some Sequence<RecordRow> {
    log[place(after: sequence)...].lazy.prefix { $0.sequence <= end }.compactMap { change in
      records[change.name].flatMap { $0.sequence == change.sequence ? $0 : nil }
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
    log = records.values.map { Change(sequence: $0.sequence, name: $0.name) }
      .sorted { $0.sequence < $1.sequence }
  }
}
