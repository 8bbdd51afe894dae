import Glibc
public import RecordServer

/// A file that is being uploaded; it goes with this object unless it is finished.
public final class AssetFileWriter {
  private let folder: AssetFolder
  private let path: String
  private let file: Int32
  private let digest = Digest()
  /// How many bytes it has so far.
  public private(set) var size: Int64 = 0
  /// Whether the file may have its name already, under which nothing is ever changed.
  private var isFinished = false

  init(_ folder: AssetFolder, _ path: String) throws(AssetFileError) {
    self.folder = folder
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw AssetFileError(.cannotWrite, path, "cannot be made") }
  }

  deinit {
    guard file >= 0 else { return }
    close(file)
    // Gone already when it was finished.
    unlink(path)
  }

  /// Takes more bytes; refuses those beyond the longest file that an asset may be.
  public func append(_ bytes: [UInt8]) throws(AssetFileError) {
    try checkUnfinished()
    guard Int64(bytes.count) <= AssetLimits.fileBytesMax - size else {
      throw AssetFileError(
        code: .tooLarge, path: path,
        message: "is longer than \(AssetLimits.fileBytesMax) bytes", fix: "upload a smaller file")
    }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        let part = UnsafeRawBufferPointer(rebasing: all[done...].prefix(AssetLimits.chunkBytes))
        return Glibc.write(file, part.baseAddress, part.count)
      }
      if count <= 0 {
        if count < 0 && errno == EINTR { continue }
        throw AssetFileError(.cannotWrite, path, "cannot be written")
      }
      done += count
    }
    bytes.withUnsafeBytes(digest.update)
    size += Int64(bytes.count)
  }

  /// Waits until the disk has the file, and gives it its name.
  ///
  /// The storage does not know of it yet: see `AssetFolder.keep`.
  public func finish() async throws(AssetFileError) -> AssetFile {
    let ended = try end()
    let (path, folder) = (path, folder)
    try await folder.waiting { () throws(AssetFileError) in
      try folder.take(path, as: ended.address)
    }
    return ended
  }

  /// What `finish` does, on the calling thread, which waits for the disk.
  func finishAndWait() throws(AssetFileError) -> AssetFile {
    let ended = try end()
    try folder.take(path, as: ended.address)
    return ended
  }

  /// No more bytes come.
  private func end() throws(AssetFileError) -> AssetFile {
    try checkUnfinished()
    isFinished = true
    guard let address = digest.finish().flatMap({ AssetAddress(digest: $0) }) else {
      throw AssetFileError(.cannotWrite, path, "has no digest")
    }
    return AssetFile(address, size: size)
  }

  private func checkUnfinished() throws(AssetFileError) {
    guard isFinished else { return }
    throw AssetFileError(
      code: .cannotWrite, path: path, message: "is finished", fix: "begin another file")
  }
}
