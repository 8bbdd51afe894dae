import Glibc

/// A file with secrets, which nobody but its owner may read.
enum CredentialsFile {
  /// The longest file that is read, in bytes; a longer one was named by mistake.
  static let bytesMax = 65_536

  /// The file's text; throws where there is none, and where others may read it.
  static func text(_ path: String) throws(SyncError) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(path) }
    defer { close(file) }
    // What was opened is asked, so that nobody puts another file in between.
    var about = stat()
    guard fstat(file, &about) == 0 else { throw unreadable(path) }
    guard about.st_mode & 0o077 == 0 else {
      throw SyncError(
        .badCredentials, path, "holds credentials, and others may read it",
        fix: "chmod 600 \(path)")
    }
    var bytes = [UInt8](repeating: 0, count: bytesMax)
    var filled = 0
    while filled < bytesMax {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(file, buffer.baseAddress?.advanced(by: filled), bytesMax - filled)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { break }
      filled += count
    }
    return String(decoding: bytes.prefix(filled), as: UTF8.self)
  }

  private static func unreadable(_ path: String) -> SyncError {
    SyncError(
      .unreadableFile, path, "cannot be read: \(String(cString: strerror(errno)))",
      fix: "name the file that has the tokens")
  }
}
