import Glibc
import SQLiteDriver

/// How a store's file is opened that is only to be read.
enum ReadOnlyFile {
  /// As others may change it meanwhile, where that can be told.
  ///
  /// SQLite shares a database that has a log through files beside it, and makes them even to read. Where
  /// it cannot, as on a medium that is read only, and nobody else has the store open, the file is read
  /// as one that stays as it is.
  static func mode(_ path: String) -> Connection.Mode {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if access(folder, W_OK) == 0 { return .readOnly }
    // Somebody has it open, or was interrupted while they had.
    if ["-shm", "-wal", "-journal"].contains(where: { access(path + $0, F_OK) == 0 }) {
      return .readOnly
    }
    return .frozen
  }
}
