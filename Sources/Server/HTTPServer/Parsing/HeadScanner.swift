/// Collects the bytes of a head until the empty line, and sees to it that every line ends with CR LF.
///
/// The limits are tested at each byte, so that the answer does not depend on how the bytes were cut.
struct HeadScanner: Sendable {
  /// The head's bytes so far, from the first line on.
  private(set) var block: [UInt8] = []
  private var lines = 0
  private var lineBytes = 0
  private var emptyLinesBefore = 0
  private var endsWithCarriageReturn = false

  /// Empty lines before a request that are forgiven, as RFC 9112 (section 2.2) asks.
  private static let emptyLinesBeforeMax = 1
  /// What a first line has beside method and target: two spaces and the version.
  private static let versionBytes = 2 + 8

  /// Whether nothing has come yet.
  var isEmpty: Bool { block.isEmpty && emptyLinesBefore == 0 }

  /// Takes bytes from `offset` on; true once the head is complete.
  mutating func take(
    _ bytes: Span<UInt8>, at offset: inout Int, limits: HTTPLimits
  ) throws(RequestFault) -> Bool {
    let headMax = min(limits.headBytesMax, HTTPLimits.headBytesCeiling)
    let firstLineMax = limits.methodBytesMax + limits.targetBytesMax + Self.versionBytes
    var start = offset
    while offset < bytes.count {
      if !endsWithCarriageReturn {
        // NB: what ends no line is taken together, as far as no limit is passed; byte by byte takes ten times as long.
        let beforeLimit = headMax - (block.count + offset - start)
        let ofFirstLine = lines == 0 ? firstLineMax - lineBytes : beforeLimit
        let plain = Self.plainBytes(bytes, from: offset, max: min(beforeLimit, ofFirstLine))
        offset += plain
        lineBytes += plain
        guard offset < bytes.count else { break }
      }
      let byte = bytes[offset]
      offset += 1
      if byte == ASCII.lineFeed {
        guard endsWithCarriageReturn else { throw .bareLineFeed }
        endsWithCarriageReturn = false
        if lineBytes == 0 {
          if lines > 0 {
            append(bytes, start..<offset)
            guard block.count <= headMax else { throw .headTooLarge }
            return true
          }
          emptyLinesBefore += 1
          guard emptyLinesBefore <= Self.emptyLinesBeforeMax else { throw .malformedRequestLine }
          block = []
          start = offset
          continue
        }
        lines += 1
        lineBytes = 0
      } else if endsWithCarriageReturn {
        throw .bareCarriageReturn
      } else if byte == ASCII.carriageReturn {
        endsWithCarriageReturn = true
      } else {
        lineBytes += 1
        if lines == 0, lineBytes > firstLineMax { throw .targetTooLong }
      }
      if block.count + offset - start > headMax {
        throw lines == 0 ? .targetTooLong : .headTooLarge
      }
    }
    append(bytes, start..<offset)
    return false
  }

  /// How many bytes from `offset` on, at most `max`, neither end a line nor begin to.
  private static func plainBytes(_ bytes: Span<UInt8>, from offset: Int, max: Int) -> Int {
    let end = offset + min(Swift.max(0, max), bytes.count - offset)
    return bytes.extracting(offset..<end).withUnsafeBytes { bytes in
      let count = ASCII.place(of: ASCII.carriageReturn, in: bytes)
      // What comes before it is looked through once more, quickly, for the other one.
      return ASCII.place(of: ASCII.lineFeed, in: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }

  private mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    bytes.extracting(range).withUnsafeBufferPointer { block.append(contentsOf: $0) }
  }
}
