/// Bytes that wait to be sent: small pieces together, large ones as they are, without a copy.
struct OutputQueue {
  private var segments: [[UInt8]] = []
  private var first = 0
  private var offset = 0
  /// Bytes that wait.
  private(set) var count = 0

  /// Pieces up to this size are put together, so that a head and a small body go in one call.
  private static let joinedBytesMax = 16 * 1024

  /// Places of sent pieces that are kept until they are removed together.
  private static let sentSegmentsMax = 64

  var isEmpty: Bool { count == 0 }

  /// How many bytes of a body are appended to those before it: room for them saves a copy.
  static func bytesJoined(to body: Int) -> Int { body <= joinedBytesMax ? body : 0 }

  mutating func append(_ bytes: consuming [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if let last = segments.indices.last, segments[last].count + bytes.count <= Self.joinedBytesMax {
      segments[last].append(contentsOf: bytes)
    } else {
      segments.append(bytes)
    }
  }

  /// Calls `send` with the first bytes and whether others follow; it returns how many it took.
  func withFirst(_ send: (UnsafeRawBufferPointer, Bool) -> TransportResult) -> TransportResult {
    guard first < segments.count else { return .bytes(0) }
    let hasMore = first + 1 < segments.count
    return segments[first].withUnsafeBytes { bytes in
      send(UnsafeRawBufferPointer(rebasing: bytes[min(offset, bytes.count)...]), hasMore)
    }
  }

  /// Takes away the first `sent` bytes, all of the segment that `withFirst` showed.
  mutating func remove(_ sent: Int) {
    guard first < segments.count else { return }
    count -= sent
    offset += sent
    guard offset >= segments[first].count else { return }
    segments[first] = []
    first += 1
    offset = 0
    if first == segments.count {
      removeAll()
    } else if first >= Self.sentSegmentsMax {
      // A stream that never waits for nothing would else keep a place for all it ever sent.
      segments.removeFirst(first)
      first = 0
    }
  }

  /// Forgets everything, and gives the memory back.
  mutating func removeAll() {
    segments = []
    first = 0
    offset = 0
    count = 0
  }
}
