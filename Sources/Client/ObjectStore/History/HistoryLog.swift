import DataModel
import FoundationEssentials
import SQLiteDriver

/// What is done to an object, with the number that history keeps.
public enum ChangeKind: Int64, Sendable, Hashable, Codable, CaseIterable {
  case insert = 1
  case update = 2
  case delete = 3
}

/// Writes one transaction's changes into history, in order; inserts one after the other are one row.
///
/// It also gathers them as a `ChangeSet`, for the contexts that are open.
final class HistoryLog {
  /// The transaction's number.
  let number: Int64
  private let connection: Connection
  private let firstChange: Int64
  // NB: unchecked, as each object passes here; a log has one thread, and calls nobody who has it.
  @exclusivity(unchecked) private var nextChange: Int64
  @exclusivity(unchecked) private var run: (entity: Int, key: Int64, count: Int64)?
  let time: Double
  private let author: String?
  private let process: String?
  private let statement: Statement
  private let cache: WriterCache
  private(set) var changes: ChangeSet

  /// Begins the transaction that follows the last one; the connection must hold the write lock.
  init(
    _ connection: Connection, time: Date, author: String?, process: String?,
    cache: WriterCache = WriterCache()
  ) throws(SQLiteError) {
    self.connection = connection
    self.cache = cache
    let counters = try cache.counters(connection)
    number = counters.transaction
    firstChange = counters.change
    nextChange = firstChange
    self.time = time.timeIntervalSinceReferenceDate
    self.author = author
    self.process = process
    statement = try cache.statement(.insertChange, connection)
    changes = ChangeSet(transaction: number, author: author)
  }

  /// The numbers that the next transaction gets once this one is committed.
  var nextCounters: WriterCache.Counters {
    WriterCache.Counters(transaction: isEmpty ? number : number + 1, change: nextChange)
  }

  /// Whether nothing was recorded.
  var isEmpty: Bool { nextChange == firstChange && run == nil }

  @inline(__always)
  func inserted(_ entity: Int, _ key: Int64) throws(SQLiteError) {
    if let current = run, current.entity == entity, current.key + current.count == key {
      run = (entity, current.key, current.count + 1)
      return
    }
    try endRun()
    run = (entity, key, 1)
  }

  /// Records that `count` objects were inserted whose keys follow `key`.
  func inserted(_ entity: Int, _ key: Int64, count: Int64) throws(SQLiteError) {
    try endRun()
    run = (entity, key, count)
  }

  /// Records an update; `properties` are numbers from the catalogue.
  func updated(_ entity: Int, _ key: Int64, _ properties: [Int]) throws(SQLiteError) {
    try endRun()
    changes.updated(entity, key, properties)
    try write(.update, entity, key, 1, PropertyList.bytes(properties), nil)
  }

  /// Records a deletion, with what is to be kept of the object.
  func deleted(_ entity: Int, _ key: Int64, _ tombstone: [UInt8]?) throws(SQLiteError) {
    try endRun()
    changes.deleted(entity, key)
    try write(.delete, entity, key, 1, nil, tombstone)
  }

  private func endRun() throws(SQLiteError) {
    guard let ended = run else { return }
    run = nil
    changes.inserted(ended.entity, ended.key, ended.count)
    try write(.insert, ended.entity, ended.key, ended.count, nil, nil)
  }

  private func write(
    _ kind: ChangeKind, _ entity: Int, _ key: Int64, _ count: Int64, _ properties: [UInt8]?,
    _ tombstone: [UInt8]?
  ) throws(SQLiteError) {
    statement.bind(1, nextChange)
    statement.bind(2, kind.rawValue)
    statement.bind(3, Int64(entity))
    statement.bind(4, key)
    statement.bind(5, count)
    if let properties { statement.bind(6, properties) } else { statement.bindNull(6) }
    if let tombstone { statement.bind(7, tombstone) } else { statement.bindNull(7) }
    try statement.run()
    nextChange += count
  }

  /// Writes the transaction's own row; nothing when there was no change.
  func finish() throws(SQLiteError) {
    try endRun()
    if isEmpty { return }
    let authorNumber = try name(author)
    let processNumber = try name(process)
    let statement = try cache.statement(.insertTransaction, connection)
    statement.bind(1, number)
    statement.bind(2, time)
    if let authorNumber { statement.bind(3, authorNumber) } else { statement.bindNull(3) }
    if let processNumber { statement.bind(4, processNumber) } else { statement.bindNull(4) }
    statement.bind(5, firstChange)
    statement.bind(6, nextChange - firstChange)
    try statement.run()
  }

  /// The number of an author's or a process's name.
  private func name(_ text: String?) throws(SQLiteError) -> Int64? {
    guard let text else { return nil }
    return try cache.number(ofName: text, connection)
  }
}

/// A list of property numbers as history keeps it: seven bits in a byte, the high bit says that more
/// follow.
enum PropertyList {
  static func bytes(_ numbers: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers {
      var rest = UInt64(max(0, number))
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return bytes
  }

  static func numbers(_ bytes: [UInt8]) -> [Int] {
    var numbers: [Int] = []
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 == 0 || shift > 56 {
        numbers.append(Int(truncatingIfNeeded: value))
        value = 0
        shift = 0
      }
    }
    return numbers
  }
}
