import Glibc

/// Replaces a file so that whoever reads it, also after a crash, finds the old one whole or the new one
/// whole.
///
/// The new bytes are written beside the file, made durable, and given its name. Only the holder of the
/// file's lock may do so: the name beside it is always the same, so that what a killed process left
/// there can be found.
struct FileReplacement {
  let path: String
  let faults: FileFaultPlan?

  /// What a step failed with.
  struct Failure: Error {
    var step: FileFaultPlan.Step
    var reason: Int32
    /// Whether the new file has the name already, although it may not last.
    var isRenamed: Bool { step == .synchronizeFolder }
  }

  /// The file that is being written.
  static func unfinished(_ path: String) -> String { path + ".saving" }

  /// How much is written at once.
  static let partBytes = 1 << 20

  func replace(with bytes: [UInt8]) throws(Failure) {
    let unfinished = Self.unfinished(path)
    do {
      try write(bytes, to: unfinished)
      try finish(unfinished)
    } catch {
      if !error.isRenamed { unlink(unfinished) }
      throw error
    }
  }

  /// Gives `file`, which is on the disk, the name; for a file that was written by someone else.
  func finish(_ file: String) throws(Failure) {
    try meet(.rename)
    guard rename(file, path) == 0 else { throw Failure(step: .rename, reason: errno) }
    try synchronizeFolder()
  }

  private func write(_ bytes: [UInt8], to name: String) throws(Failure) {
    unlink(name)
    try meet(.create)
    let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw Failure(step: .create, reason: errno) }
    defer { close(file) }
    // As readable as the file that it replaces.
    var about = stat()
    if stat(path, &about) == 0 { fchmod(file, about.st_mode & 0o7777) }
    var offset = 0
    while offset < bytes.count {
      let part = min(Self.partBytes, bytes.count - offset)
      let fault = faults?.reason(for: .write)
      let wanted = fault == nil ? part : part / 2
      let written = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { Glibc.write(file, $0 + offset, wanted) } ?? 0
      }
      if let fault { throw Failure(step: .write, reason: fault) }
      guard written > 0 else {
        if written < 0 && errno == EINTR { continue }
        throw Failure(step: .write, reason: written < 0 ? errno : EIO)
      }
      offset += written
    }
    try meet(.synchronize)
    guard fsync(file) == 0 else { throw Failure(step: .synchronize, reason: errno) }
  }

  private func synchronizeFolder() throws(Failure) {
    try meet(.synchronizeFolder)
    let folder = open(FilePaths.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Failure(step: .synchronizeFolder, reason: errno) }
    defer { close(folder) }
    // Some file systems have nothing to wait for, and say so with EINVAL.
    guard fsync(folder) == 0 || errno == EINVAL else {
      throw Failure(step: .synchronizeFolder, reason: errno)
    }
  }

  private func meet(_ step: FileFaultPlan.Step) throws(Failure) {
    if let reason = faults?.reason(for: step) { throw Failure(step: step, reason: reason) }
  }
}

extension StoreError {
  /// What it means for the user of a store that its file could not be replaced.
  init(_ failure: FileReplacement.Failure, _ path: String) {
    let words = String(cString: strerror(failure.reason))
    switch failure.reason {
    case ENOSPC, EDQUOT:
      self.init(
        .writeFailed, path, "the disk is full; nothing was changed: \(words)",
        fix: "free some space and save again")
    case EACCES, EPERM, EROFS:
      self.init(
        .readOnly, path, "the file cannot be written to: \(words)",
        fix: "a save makes a new file, so the folder has to be writable too")
    default:
      self.init(.writeFailed, path, "the disk failed; nothing was changed: \(words)")
    }
  }
}

/// Names of files.
package enum FilePaths {
  /// The folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The file that `path` leads to, where it is a link, so that the file is replaced and not the link.
  package static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Whether something has that name.
  static func exists(_ path: String) -> Bool {
    var about = stat()
    return lstat(path, &about) == 0
  }
}
