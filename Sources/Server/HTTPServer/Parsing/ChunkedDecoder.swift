/// Takes a body out of its chunks (RFC 9112, section 7.1), byte by byte where it is framing, in runs where it is
/// data.
struct ChunkedDecoder: Sendable {
  private enum State {
    /// Digits of a size, how many so far.
    case size(Int)
    case `extension`
    case sizeLineFeed
    case data(remaining: Int)
    case dataCarriageReturn
    case dataLineFeed
    case trailerStart
    case trailer
    case trailerLineFeed
    case lastLineFeed
  }

  private let limits: HTTPLimits
  private var state = State.size(0)
  private var size = 0
  private var extensionBytes = 0
  private var trailerBytes = 0

  /// Digits of a size: what 15 of them say fits into an `Int`.
  private static let sizeDigitsMax = 15

  init(limits: HTTPLimits) { self.limits = limits }

  /// Takes bytes from `offset` on, adds data to `body`, and tells whether the end has come.
  mutating func take(
    _ bytes: Span<UInt8>, at offset: inout Int, into body: inout [UInt8], limit: Int
  ) throws(RequestFault) -> Bool {
    while offset < bytes.count {
      if case .data(let remaining) = state {
        let count = min(remaining, bytes.count - offset)
        bytes.extracting(offset..<(offset + count)).withUnsafeBufferPointer {
          body.append(contentsOf: $0)
        }
        offset += count
        state = count == remaining ? .dataCarriageReturn : .data(remaining: remaining - count)
        continue
      }
      let byte = bytes[offset]
      offset += 1
      if case .lastLineFeed = state {
        guard byte == ASCII.lineFeed else { throw .malformedChunk }
        return true
      }
      try takeFraming(byte, bodyCount: body.count, limit: limit)
    }
    return false
  }

  private mutating func takeFraming(
    _ byte: UInt8, bodyCount: Int, limit: Int
  ) throws(RequestFault) {
    switch state {
    case .size(let digits): try takeSize(byte, digits: digits, bodyCount: bodyCount, limit: limit)
    case .extension: try takeExtension(byte)
    case .sizeLineFeed:
      try expect(ASCII.lineFeed, byte)
      state = size == 0 ? .trailerStart : .data(remaining: size)
    case .dataCarriageReturn:
      try expect(ASCII.carriageReturn, byte)
      state = .dataLineFeed
    case .dataLineFeed:
      try expect(ASCII.lineFeed, byte)
      (state, size) = (.size(0), 0)
    case .trailerStart, .trailer, .trailerLineFeed: try takeTrailer(byte)
    // The caller handles these two.
    case .data, .lastLineFeed: throw .malformedChunk
    }
  }

  private mutating func takeSize(
    _ byte: UInt8, digits: Int, bodyCount: Int, limit: Int
  ) throws(RequestFault) {
    if let value = ASCII.hexValue(byte) {
      guard digits < Self.sizeDigitsMax else { throw .malformedChunk }
      size = size * 16 + value
      guard size <= limit - bodyCount else { throw .bodyTooLarge }
      state = .size(digits + 1)
      return
    }
    guard digits > 0 else { throw .malformedChunk }
    switch byte {
    case ASCII.semicolon: state = .extension
    case ASCII.carriageReturn: state = .sizeLineFeed
    default: throw .malformedChunk
    }
  }

  private mutating func takeExtension(_ byte: UInt8) throws(RequestFault) {
    if byte == ASCII.carriageReturn {
      state = .sizeLineFeed
      return
    }
    guard ASCII.isFieldValue(byte) else { throw .malformedChunk }
    extensionBytes += 1
    guard extensionBytes <= limits.chunkExtensionBytesMax else { throw .longChunkExtension }
  }

  private mutating func takeTrailer(_ byte: UInt8) throws(RequestFault) {
    trailerBytes += 1
    guard trailerBytes <= limits.trailerBytesMax else { throw .trailersTooLarge }
    switch state {
    case .trailerStart where byte == ASCII.carriageReturn: state = .lastLineFeed
    case .trailerStart:
      guard ASCII.isToken(byte) else { throw .malformedChunk }
      state = .trailer
    case .trailer where byte == ASCII.carriageReturn: state = .trailerLineFeed
    case .trailer: guard ASCII.isFieldValue(byte) else { throw .malformedChunk }
    default:
      try expect(ASCII.lineFeed, byte)
      state = .trailerStart
    }
  }

  private func expect(_ wanted: UInt8, _ byte: UInt8) throws(RequestFault) {
    guard byte == wanted else { throw .malformedChunk }
  }
}
