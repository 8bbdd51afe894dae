import CCurl
import Glibc

/// A file that a body is read from, or written to; it is closed with this object.
final class TransferFile {
  private let file: Int32
  let byteCount: Int

  /// Opens a file to read it; nil where that is not possible.
  init?(reading path: String) {
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(file)
      return nil
    }
    byteCount = Int(facts.st_size)
  }

  /// Makes a file, or empties it; nil where that is not possible.
  init?(writing path: String) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    byteCount = 0
  }

  deinit { close(file) }

  /// Reads bytes from a place on; how many there were, or nil where that failed.
  func read(at offset: Int, into space: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count = pread(file, space.baseAddress, space.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }

  /// Writes all bytes; false where that failed.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(file, part.baseAddress, part.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

extension Transfer {
  /// Opens the files of the request; false where one cannot be used.
  func openFiles() -> Bool {
    if let path = request.bodyFile {
      source = TransferFile(reading: path)
      guard source != nil else { return failFile(path, "cannot be read") }
    }
    if let path = request.responseFile {
      sink = TransferFile(writing: path)
      guard sink != nil else { return failFile(path, "cannot be written") }
    }
    return true
  }

  private func failFile(_ path: String, _ words: String) -> Bool {
    let reason = String(cString: strerror(errno))
    fileFailure = HTTPClientError(
      .fileFailed, url: request.url, "the file \(path) \(words): \(reason)")
    return false
  }

  var bodyByteCount: Int { source?.byteCount ?? request.body.count }

  /// Writes what came to the file; another number than that of the bytes ends the transfer.
  func write(_ bytes: UnsafeRawBufferPointer, to sink: TransferFile) -> Int {
    guard bytes.count <= request.responseBytesMax - sunkBytes else {
      isTooLarge = true
      return 0
    }
    guard sink.write(bytes) else {
      _ = failFile(request.responseFile ?? "", "cannot be written")
      return 0
    }
    sunkBytes += bytes.count
    return bytes.count
  }

  func read(_ source: TransferFile, into space: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = UnsafeMutableRawBufferPointer(
      rebasing: space.prefix(max(0, source.byteCount - bodyOffset)))
    guard let count = source.read(at: bodyOffset, into: wanted) else {
      _ = failFile(request.bodyFile ?? "", "cannot be read")
      return Int(CURL_READFUNC_ABORT)
    }
    bodyOffset += count
    return count
  }
}
