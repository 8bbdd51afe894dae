/// What is to be sent for a response, decided from the request and the response alone.
package struct ResponsePlan {
  /// What follows the head.
  package enum Body {
    /// Nothing.
    case none
    /// As many bytes as the head says.
    case bytes([UInt8])
    /// A stream, in chunks, or until the connection ends where the client knows no chunks.
    case stream(HTTPStream, isChunked: Bool)
  }

  /// What a response depends on beside the handler.
  package struct Circumstances {
    var method: HTTPMethod
    var version: HTTPVersion
    /// Whether the client asked for the end, or the server wants it.
    var closes: Bool

    package init(method: HTTPMethod, version: HTTPVersion, closes: Bool) {
      self.method = method
      self.version = version
      self.closes = closes
    }
  }

  /// The head, whole.
  package var head: [UInt8]
  /// What follows it.
  package var body: Body
  /// Whether the connection ends after it.
  package var closes: Bool

  /// About how many bytes a head has.
  private static let headBytes = 384

  /// Headers that only the server writes, since they say where the response ends.
  private static let ownHeaders = [
    "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "trailer",
  ]

  /// The plan for a response; nil for one that cannot be sent: a status out of range, or a header whose name or value
  /// would begin something else in the head.
  package init?(
    _ response: HTTPResponse, in circumstances: Circumstances, dateLine: [UInt8]
  ) {
    guard response.status.isFinal, response.headers.fields.allSatisfy(\.isValid) else { return nil }
    let framing = Framing(response, circumstances)
    closes = circumstances.closes || response.closesConnection || framing.endsWithConnection
    body = framing.body
    head = []
    head.reserveCapacity(Self.headBytes + OutputQueue.bytesJoined(to: framing.length ?? 0))
    writeHead(response, framing, circumstances, dateLine)
  }

  private mutating func writeHead(
    _ response: HTTPResponse, _ framing: Framing, _ circumstances: Circumstances,
    _ dateLine: [UInt8]
  ) {
    head.append(contentsOf: response.status == .ok ? Self.okLine : Self.line(of: response.status))
    var hasDate = false
    for field in response.headers.fields where !Self.isOwn(field.name) {
      append(field.name, field.value)
      hasDate = hasDate || ASCII.equal(field.name.utf8, "date".utf8)
    }
    if !hasDate { head.append(contentsOf: dateLine) }
    if let length = framing.length { append("Content-Length", String(length)) }
    if framing.isChunked { append("Transfer-Encoding", "chunked") }
    if closes { append("Connection", "close") }
    head.append(ASCII.carriageReturn)
    head.append(ASCII.lineFeed)
  }

  private mutating func append(_ name: String, _ value: String) {
    append(name)
    head.append(ASCII.colon)
    head.append(ASCII.space)
    append(value)
    head.append(ASCII.carriageReturn)
    head.append(ASCII.lineFeed)
  }

  /// Appends a text that lies in one piece as one piece, as all do that Swift has made.
  private mutating func append(_ text: String) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      head.append(contentsOf: $0)
    }
    if isDone == nil { head.append(contentsOf: text.utf8) }
  }

  private static let okLine = line(of: .ok)

  private static func line(of status: HTTPStatus) -> [UInt8] {
    Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n".utf8)
  }

  private static func isOwn(_ name: String) -> Bool {
    // Most headers are told by their length.
    guard ownLengths & (1 << UInt64(name.utf8.count)) != 0 else { return false }
    return ownHeaders.contains { ASCII.equal($0.utf8, name.utf8) }
  }

  /// The lengths of those names, a bit for each; no bit is beyond the last.
  private static let ownLengths = ownHeaders.reduce(into: UInt64(0)) {
    $0 |= 1 << UInt64($1.utf8.count)
  }
}

/// How the end of a response's body is told.
private struct Framing {
  var body: ResponsePlan.Body
  var length: Int?
  var isChunked = false
  var endsWithConnection = false

  init(_ response: HTTPResponse, _ circumstances: ResponsePlan.Circumstances) {
    let isHead = circumstances.method == .head
    body = .none
    guard !response.status.forbidsBody else { return }
    switch response.body {
    case .bytes(let bytes):
      // A response to HEAD tells the length that GET would have.
      length = bytes.count
      if !isHead, !bytes.isEmpty { body = .bytes(bytes) }
    case .stream(let stream):
      isChunked = circumstances.version == .http11
      if !isHead { body = .stream(stream, isChunked: isChunked) }
      endsWithConnection = !isChunked
    }
  }
}
