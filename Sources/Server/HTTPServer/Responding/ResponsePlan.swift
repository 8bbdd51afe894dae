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

  /// Room for the headers that the server adds.
  private static let addedBytesMax = 128

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
    let line = response.status == .ok ? Self.okLine : Self.line(of: response.status)
    let headMax = line.count + response.headers.bytesMax + dateLine.count + Self.addedBytesMax
    let closes = closes
    // NB: into room that was counted before: an array's own checks for each piece cost more than most pieces.
    head = [UInt8](
      unsafeUninitializedCapacity: headMax + OutputQueue.bytesJoined(to: framing.length ?? 0)
    ) { room, count in
      var writer = HeadWriter(room)
      writer.append(line)
      writer.write(response.headers, framing, closes: closes, dateLine)
      count = writer.count
    }
  }

  private static let okLine = line(of: .ok)

  private static func line(of status: HTTPStatus) -> [UInt8] {
    Array("HTTP/1.1 \(status.rawValue) \(status.reason)\r\n".utf8)
  }

  fileprivate static func isOwn(_ name: String) -> Bool {
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

/// Writes a head into room that has been made for all of it; what would not fit is left out.
private struct HeadWriter {
  private let room: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt8>) {
    self.room = UnsafeMutableRawBufferPointer(room)
  }

  mutating func write(
    _ headers: HTTPResponseHeaders, _ framing: Framing, closes: Bool, _ dateLine: [UInt8]
  ) {
    var hasDate = false
    for field in headers.fields where !ResponsePlan.isOwn(field.name) {
      append(field.name, field.value)
      hasDate = hasDate || ASCII.equal(field.name.utf8, "date".utf8)
    }
    if !hasDate { append(dateLine) }
    if let length = framing.length { append("Content-Length", String(length)) }
    if framing.isChunked { append("Transfer-Encoding", "chunked") }
    if closes { append("Connection", "close") }
    append(ASCII.carriageReturn, ASCII.lineFeed)
  }

  mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  private mutating func append(_ name: String, _ value: String) {
    append(name)
    append(ASCII.colon, ASCII.space)
    append(value)
    append(ASCII.carriageReturn, ASCII.lineFeed)
  }

  private mutating func append(_ text: String) {
    // As all texts do that Swift has made, it lies in one piece.
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { append(Array(text.utf8)) }
  }

  private mutating func append(_ first: UInt8, _ second: UInt8) {
    guard room.count - count >= 2 else { return }
    (room[count], room[count + 1]) = (first, second)
    count += 2
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard room.count - count >= bytes.count else { return }
    UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
    count += bytes.count
  }
}

extension HTTPResponseHeaders {
  /// How many bytes all of them have with what stands between them.
  fileprivate var bytesMax: Int {
    fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
  }
}
