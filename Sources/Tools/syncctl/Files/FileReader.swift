import Glibc

/// An error number of the C library.
struct Errno: Error {
  let code: Int32

  /// What the C library says of it, such as `Permission denied`.
  ///
  /// The corresponding C function is `strerror`, whose result stays valid until the thread's next
  /// call of it (glibc 2.32).
  var words: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

/// A file that has more bytes than the reader may take.
struct FileTooLarge: Error {}

/// An open file; closed when the value goes.
struct FileReader: ~Copyable {
  private let descriptor: Int32

  /// Opens the file at `path`.
  ///
  /// The corresponding C function is `open`.
  init(_ path: String) throws(Errno) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw Errno(code: errno) }
  }

  deinit { close(descriptor) }

  /// All bytes up to the end, pipes included.
  ///
  /// The corresponding C function is `read`.
  func readAll(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Errno(code: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw FileTooLarge() }
    }
  }
}
