import DataModel
import Foundation
import Synchronization

@testable import SQLiteDriver

/// A folder of its own for a test's files, gone with it.
final class ScratchFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/contrail-driver-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}

/// Counts, also from other threads.
final class Counter: Sendable {
  private let value = Mutex(0)

  func add() { value.withLock { $0 += 1 } }

  var count: Int { value.withLock { $0 } }
}

/// Says when the last reference to it is gone.
final class Token: Sendable {
  let gone: Counter

  init(_ gone: Counter) { self.gone = gone }

  deinit { gone.add() }
}

extension Connection {
  /// All rows of a query.
  func rows(_ sql: String, _ values: FieldValue...) throws(SQLiteError) -> [[FieldValue]] {
    let statement = try prepare(sql)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value: value) }
    var rows: [[FieldValue]] = []
    try statement.forEachRow { row throws(SQLiteError) in
      rows.append((0..<Int32(row.columnCount)).map { row.value($0) })
    }
    return rows
  }
}

/// What `body` throws; nil when it does not.
func failure(_ body: () throws(SQLiteError) -> Void) -> SQLiteError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}
