import FoundationEssentials
import Glibc
import StoreFloors

/// What the rows of the store suite work with: files, rows and settings, the same for both sides.
final class Workbench {
  /// What both sides set on their connections; the durability is WAL with synchronous NORMAL.
  static let settings = floor_settings(cache_kib: 64 * 1024, checkpoint_pages: 16_000)
  /// How many rows a full run is about.
  static let rowsMax = 1_000_000
  /// How many rows a small store has.
  static let smallRowCount = 1000
  /// How many transactions of one object a full run is about.
  static let transactionsMax = 200_000

  let rowCount: Int
  let transactionCount: Int
  /// The rows of the floors, and what objects are made from.
  let rows: UnsafeBufferPointer<floor_row>
  /// Keys for look-ups, without an order.
  let keys: UnsafeBufferPointer<Int64>
  private let folder: TemporaryFolder

  init(_ runner: Runner) throws {
    rowCount = runner.size(Self.rowsMax)
    transactionCount = runner.size(Self.transactionsMax)
    folder = try TemporaryFolder()
    guard let rows = floor_make_rows(Int64(rowCount)),
      let keys = floor_make_keys(Int64(rowCount), Int64(rowCount))
    else { throw FloorFailure(code: ENOMEM) }
    self.rows = UnsafeBufferPointer(start: rows, count: rowCount)
    self.keys = UnsafeBufferPointer(start: keys, count: rowCount)
  }

  deinit {
    floor_free(UnsafeMutableRawPointer(mutating: rows.baseAddress))
    floor_free(UnsafeMutableRawPointer(mutating: keys.baseAddress))
  }

  /// The rows as Swift values, made when they are first asked for.
  ///
  /// For work that begins with values that are there; work that includes making objects makes them
  /// from `rows`.
  private(set) lazy var items: [SampleItem] = rows.map { SampleItem($0) }

  /// The time of creation that half of the rows have reached.
  var middle: Double { rows[rowCount / 2].created }
}

extension Workbench {
  /// Gives `body` the path of a file that is not there yet, and removes what it leaves there.
  func withFreshFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = folder.path("fresh-\(UUID().uuidString).sqlite")
    defer { remove(path) }
    return try body(path)
  }

  /// Gives `body` a copy of a file that `fill` has filled, and removes it afterwards.
  func withCopy<Result>(of name: String, _ body: (String) throws -> Result) throws -> Result {
    try withFreshFile { path in
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: path)
      try settle(path)
      return try body(path)
    }
  }

  /// A file that stays for the whole suite, filled once with `work` by whichever row comes first.
  func fill(_ name: String, with work: (String) throws -> Void) throws {
    let path = folder.path(name)
    if FileManager.default.fileExists(atPath: path) { return }
    try work(path)
    try settle(path)
  }

  /// Where a file is that was filled.
  func path(_ name: String) -> String { folder.path(name) }

  /// Removes a database and what SQLite keeps beside it.
  private func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }

  /// Lets the disk finish, so that writing this file is not what a later row waits for.
  private func settle(_ path: String) throws {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw FloorFailure(code: errno) }
    fsync(file)
    close(file)
  }
}

/// A floor that did not do its work.
struct FloorFailure: Error, CustomStringConvertible {
  let code: Int32

  /// Throws unless `code` says that all is well.
  static func check(_ code: Int32) throws {
    if code != 0 { throw FloorFailure(code: code) }
  }

  var description: String { "a floor failed with code \(code)" }
}
