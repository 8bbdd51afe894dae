/// Takes requests out of bytes as they come, however they are cut, by the strict grammar of RFC 9112.
///
/// A pure value: it keeps what is incomplete, never looks back at bytes it was given, and after a fault says the
/// same fault forever.
package struct RequestParser: Sendable {
  /// What a call found.
  package enum Step: Sendable {
    /// All bytes are taken; more have to come.
    case needsMore
    /// A head; `acceptBody(limit:)` says how to go on.
    case head(HTTPRequestHead)
    /// The body of that head, whole. The next bytes belong to the next request.
    case body([UInt8])
    /// The request is refused, and with it all that follows.
    case refused(RequestFault)
  }

  private enum State {
    case head(HeadScanner)
    case undecided(BodyFraming)
    case fixed(remaining: Int)
    case chunked(ChunkedDecoder)
    case refused(RequestFault)
  }

  private let limits: HTTPLimits
  private var state = State.head(HeadScanner())
  private var body: [UInt8] = []
  private var bodyLimit = 0

  package init(limits: HTTPLimits) { self.limits = limits }

  /// Whether nothing of a next request has come yet.
  package var isBetweenRequests: Bool {
    if case .head(let scanner) = state { scanner.isEmpty } else { false }
  }

  /// Whether a head has been handed out whose body is not complete.
  package var isInBody: Bool {
    switch state {
    case .undecided, .fixed, .chunked: true
    case .head, .refused: false
    }
  }

  /// Bytes of the body so far.
  package var bodyCount: Int { body.count }

  /// Takes bytes from `offset` on, up to the next thing to tell.
  package mutating func next(_ bytes: Span<UInt8>, at offset: inout Int) -> Step {
    do throws(RequestFault) {
      switch state {
      case .head: return try takeHead(bytes, at: &offset)
      case .undecided: return .needsMore
      case .fixed(let remaining): return takeFixed(remaining, bytes, at: &offset)
      case .chunked: return try takeChunks(bytes, at: &offset)
      case .refused(let fault): return .refused(fault)
      }
    } catch {
      return refuse(error)
    }
  }

  /// Goes on to the body of the head that was just handed out, unless it is larger than `limit`.
  package mutating func acceptBody(limit: Int) -> RequestFault? {
    guard case .undecided(let framing) = state else { return nil }
    let limit = max(0, limit)
    bodyLimit = limit
    switch framing {
    case .none: state = .fixed(remaining: 0)
    case .length(let count) where count > limit:
      _ = refuse(.bodyTooLarge)
      return .bodyTooLarge
    case .length(let count):
      state = .fixed(remaining: count)
      body.reserveCapacity(min(count, Self.reservedBytesMax))
    case .chunked: state = .chunked(ChunkedDecoder(limits: limits))
    }
    return nil
  }

  /// Forgets what has come of a body, of a request that is given up.
  package mutating func dropBody() { body = [] }

  /// Memory that a promise of a body is given ahead: beyond that it grows with what has really come.
  private static let reservedBytesMax = 64 * 1024

  private mutating func refuse(_ fault: RequestFault) -> Step {
    state = .refused(fault)
    body = []
    return .refused(fault)
  }

  private mutating func takeHead(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(RequestFault) -> Step {
    guard case .head(var scanner) = state else { return .needsMore }
    // So that the scanner's bytes are not shared, which would copy them.
    state = .undecided(.none)
    guard try scanner.take(bytes, at: &offset, limits: limits) else {
      state = .head(scanner)
      return .needsMore
    }
    let head = try HeadReader.read(scanner.block, limits: limits)
    state = .undecided(head.framing)
    return .head(head)
  }

  private mutating func takeFixed(
    _ remaining: Int, _ bytes: Span<UInt8>, at offset: inout Int
  ) -> Step {
    let count = min(remaining, bytes.count - offset)
    bytes.extracting(offset..<(offset + count)).withUnsafeBufferPointer {
      body.append(contentsOf: $0)
    }
    offset += count
    guard count == remaining else {
      state = .fixed(remaining: remaining - count)
      return .needsMore
    }
    return finishBody()
  }

  private mutating func takeChunks(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(RequestFault) -> Step {
    guard case .chunked(var decoder) = state else { return .needsMore }
    let isDone = try decoder.take(bytes, at: &offset, into: &body, limit: bodyLimit)
    state = .chunked(decoder)
    return isDone ? finishBody() : .needsMore
  }

  private mutating func finishBody() -> Step {
    let whole = body
    body = []
    state = .head(HeadScanner())
    return .body(whole)
  }
}
