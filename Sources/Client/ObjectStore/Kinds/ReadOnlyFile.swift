import Glibc
import SQLiteDriver

/// A store's file that is opened only to be read.
///
/// SQLite shares a database that has a log through files beside it, and makes them even to read. Where it
/// cannot, as on a medium that is read only, and nobody else has the store open, the file is read as one
/// that stays as it is; and whoever has read looks whether it did.
struct ReadOnlyFile: Sendable {
  /// The file itself, where its name is a link: what SQLite keeps stands beside that.
  private let path: String
  /// The file as it was when it was opened; nil where SQLite's locks are used.
  private let frozen: State?

  private struct State: Hashable, Sendable {
    var device: UInt
    var number: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  init(_ named: String) {
    path = FilePaths.resolved(named)
    let isShared =
      access(FilePaths.folder(of: path), W_OK) == 0 || Self.isInUse(path)
    frozen = isShared ? nil : Self.state(path)
  }

  /// How it is opened.
  var mode: Connection.Mode { frozen == nil ? .readOnly : .frozen }

  /// Runs `body`, and throws where what it read may not be of one moment.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    guard let frozen else { return try body() }
    let result = Swift.Result { try body() }
    if Self.isInUse(path) || Self.state(path) != frozen {
      throw StoreError(
        .readFailed, path,
        "another program has begun to write to it, and its folder is closed to this one",
        fix: "open it again, or copy it to a folder of your own")
    }
    return try result.get()
  }

  /// Whether somebody has the store open, or was interrupted while they had.
  private static func isInUse(_ path: String) -> Bool {
    ["-shm", "-wal", "-journal"].contains { access(path + $0, F_OK) == 0 }
  }

  private static func state(_ path: String) -> State? {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    return State(
      device: UInt(about.st_dev), number: UInt(about.st_ino), size: Int(about.st_size),
      seconds: about.st_mtim.tv_sec, nanoseconds: about.st_mtim.tv_nsec)
  }
}
