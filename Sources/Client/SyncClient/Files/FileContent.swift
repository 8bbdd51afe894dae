import FoundationEssentials
import Glibc
import SyncCore

/// Where the bytes of a value are that is sent, or came, as a file.
enum FileContent: Hashable {
  /// In memory, as in the object's row.
  case bytes([UInt8])
  /// In a file, which is read in parts.
  case file(path: String)
}

extension FileContent {
  /// What tells the content from others; nil when its file is gone.
  func digest() throws -> FileDigest? {
    switch self {
    case .bytes(let bytes): return FileDigest(of: bytes)
    case .file(let path):
      var maker = FileDigest.Maker()
      guard try Self.forEachPart(of: path, { maker.update($0) }) else { return nil }
      return maker.finish()
    }
  }

  /// All bytes at once, for values that have to be in a row; nil when the file is gone.
  func wholeBytes() throws -> [UInt8]? {
    switch self {
    case .bytes(let bytes): return bytes
    case .file(let path):
      var bytes: [UInt8] = []
      return try Self.forEachPart(of: path) { bytes += $0 } ? bytes : nil
    }
  }

  /// Calls `body` with the bytes of a file, part by part; false when it is gone.
  private static func forEachPart(of path: String, _ body: ([UInt8]) -> Void) throws -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return false }
      throw SyncError.unreadable(path)
    }
    defer { close(file) }
    while true {
      var count = 0
      let part = [UInt8](unsafeUninitializedCapacity: FileLimits.chunkBytes) { space, filled in
        count = read(file, space.baseAddress, space.count)
        filled = max(0, count)
      }
      if count == 0 { return true }
      if count > 0 { body(part) } else if errno != EINTR { throw SyncError.unreadable(path) }
    }
  }
}

extension SyncError {
  fileprivate static func unreadable(_ path: String) -> SyncError {
    SyncError(
      .unreadableFile, path, "cannot be read: \(String(cString: strerror(errno)))",
      fix: "check the disk, and who may use the file")
  }
}
