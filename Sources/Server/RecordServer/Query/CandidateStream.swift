import DataModel

/// Candidates one after the other, read in batches.
final class CandidateStream {
  private enum Source {
    case scan(IndexScan)
    /// The value of the place is of no account.
    case names(type: String, isDescending: Bool, start: IndexScan.Place?)
  }

  private let zone: ZoneKey
  private let transaction: any StorageTransaction
  private var source: Source
  private var buffer: ArraySlice<IndexedRow> = []
  private var batch = QueryLimits.batchFirst
  private var isOver = false

  init(_ scan: IndexScan, _ zone: ZoneKey, _ transaction: any StorageTransaction) {
    source = .scan(scan)
    self.zone = zone
    self.transaction = transaction
  }

  /// All records of a type by name.
  init(
    type: String, isDescending: Bool, start: IndexScan.Place?, _ zone: ZoneKey,
    _ transaction: any StorageTransaction
  ) {
    source = .names(type: type, isDescending: isDescending, start: start)
    self.zone = zone
    self.transaction = transaction
  }

  /// The candidate that comes next, without taking it.
  func peek() throws -> IndexedRow? {
    if buffer.isEmpty && !isOver { try fill() }
    return buffer.first
  }

  /// Takes the next candidate.
  func next() throws -> IndexedRow? {
    let row = try peek()
    if row != nil { buffer.removeFirst() }
    return row
  }

  private func fill() throws {
    let rows: [IndexedRow]
    switch source {
    case .scan(var scan):
      rows = try transaction.scan(scan, in: zone, limit: batch)
      scan.start = rows.last.map { IndexScan.Place($0.value, $0.row.name) }
      source = .scan(scan)
    case .names(let type, let isDescending, let start):
      rows = try transaction.records(
        ofType: type, in: zone, from: start, isDescending: isDescending, limit: batch
      ).map { IndexedRow([], $0) }
      let last = rows.last.map { IndexScan.Place([], $0.row.name) }
      source = .names(type: type, isDescending: isDescending, start: last ?? start)
    }
    buffer = rows[...]
    isOver = rows.count < batch
    batch = min(batch * 2, QueryLimits.batchMax)
  }
}

/// Several streams, each in the order of names, as one in which each record comes once.
final class MergedStream {
  private let streams: [CandidateStream]
  private let isAscending: Bool

  init(_ streams: [CandidateStream], isAscending: Bool) {
    self.streams = streams
    self.isAscending = isAscending
  }

  func next() throws -> RecordRow? {
    if streams.count == 1 { return try streams[0].next()?.row }
    var first: RecordRow?
    for stream in streams {
      guard let row = try stream.peek()?.row else { continue }
      if let known = first, !precedes(row.name, known.name) { continue }
      first = row
    }
    guard let first else { return nil }
    for stream in streams
    where try stream.peek()?.row.name.utf8.elementsEqual(first.name.utf8) == true {
      _ = try stream.next()
    }
    return first
  }

  private func precedes(_ one: String, _ other: String) -> Bool {
    isAscending ? one.precedesInBytes(other) : other.precedesInBytes(one)
  }
}
