import Glibc
import RecordServer

/// A file that is being downloaded: it stays readable, also when it is removed meanwhile.
public final class AssetFileReader: Sendable {
  private let path: String
  private let file: Int32
  /// How many bytes the file has.
  public let size: Int64

  /// Opens a file; nil when there is none.
  init?(_ path: String) throws(AssetFileError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 && errno == ENOENT { return nil }
    var facts = stat()
    guard file >= 0, fstat(file, &facts) == 0 else {
      let error = AssetFileError(.cannotRead, path, "cannot be opened")
      if file >= 0 { close(file) }
      throw error
    }
    self.path = path
    self.file = file
    size = Int64(facts.st_size)
  }

  deinit { close(file) }

  /// The next bytes from a place in the file, at most a chunk of them; none at its end.
  public func chunk(at offset: Int64, upTo end: Int64 = .max) throws(AssetFileError) -> [UInt8] {
    let start = max(0, offset)
    guard start < min(end, size) else { return [] }
    let wanted = Int(min(min(end, size) - start, Int64(AssetLimits.chunkBytes)))
    var reason: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      var result = pread(file, buffer.baseAddress, wanted, off_t(start))
      while result < 0 && errno == EINTR {
        result = pread(file, buffer.baseAddress, wanted, off_t(start))
      }
      if result < 0 { reason = errno }
      count = max(0, result)
    }
    guard reason == 0 else {
      errno = reason
      throw AssetFileError(.cannotRead, path, "cannot be read")
    }
    return bytes
  }

  /// All bytes of a range, fewer where the file ends before.
  public func bytes(_ range: Range<Int64>) throws(AssetFileError) -> [UInt8] {
    var all: [UInt8] = []
    var offset = max(0, range.lowerBound)
    while true {
      let chunk = try chunk(at: offset, upTo: range.upperBound)
      if chunk.isEmpty { return all }
      all += chunk
      offset += Int64(chunk.count)
    }
  }
}
