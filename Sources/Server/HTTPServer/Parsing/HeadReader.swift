/// Reads a complete head, whose lines all end with CR LF and of which only the last is empty.
struct HeadReader {
  private let block: [UInt8]
  private let limits: HTTPLimits
  private var fields: [HTTPRequestHeaders.Field] = []
  private var framing = FramingFacts()

  /// The head in `block`.
  static func read(_ block: [UInt8], limits: HTTPLimits) throws(RequestFault) -> HTTPRequestHead {
    var reader = HeadReader(block: block, limits: limits)
    return try reader.read()
  }

  private init(block: [UInt8], limits: HTTPLimits) {
    self.block = block
    self.limits = limits
  }

  private mutating func read() throws(RequestFault) -> HTTPRequestHead {
    let firstEnd = lineEnd(from: 0)
    let line = try RequestLine(block[..<firstEnd], limits: limits)
    fields.reserveCapacity(12)
    var start = firstEnd + 2
    while start < block.count {
      let end = lineEnd(from: start)
      if end == start { break }
      try readField(start..<end)
      start = end + 2
    }
    try framing.checkHost(version: line.version)
    return HTTPRequestHead(
      method: line.method, version: line.version,
      headers: HTTPRequestHeaders(block: block, fields: fields), target: line.target,
      framing: try framing.bodyFraming(version: line.version),
      expectsContinue: try framing.expectsContinue(version: line.version),
      closesConnection: framing.closes || line.version == .http10)
  }

  /// The place of the CR that ends the line.
  private func lineEnd(from start: Int) -> Int {
    ASCII.place(of: ASCII.carriageReturn, in: block[start...])
  }

  private mutating func readField(_ line: Range<Int>) throws(RequestFault) {
    guard block[line.lowerBound] != ASCII.space, block[line.lowerBound] != ASCII.tab else {
      throw .foldedHeader
    }
    let colon = ASCII.place(of: ASCII.colon, in: block[line])
    let name = line.lowerBound..<colon
    guard colon < line.upperBound, !name.isEmpty, ASCII.all(block[name], ASCII.isToken) else {
      throw .malformedHeader
    }
    guard fields.count < limits.headersMax else { throw .tooManyHeaders }
    let value = try trimmedValue(colon + 1, line.upperBound)
    fields.append(
      HTTPRequestHeaders.Field(
        nameStart: UInt32(clamping: name.lowerBound), nameEnd: UInt32(clamping: name.upperBound),
        valueStart: UInt32(clamping: value.lowerBound), valueEnd: UInt32(clamping: value.upperBound)
      ))
    try framing.note(block[name], block[value])
  }

  private func trimmedValue(_ from: Int, _ to: Int) throws(RequestFault) -> Range<Int> {
    var start = from
    var end = to
    while start < end, block[start] == ASCII.space || block[start] == ASCII.tab { start += 1 }
    while end > start, block[end - 1] == ASCII.space || block[end - 1] == ASCII.tab { end -= 1 }
    guard block[start..<end].withUnsafeBufferPointer(ASCII.areFieldValue) else {
      throw .malformedHeader
    }
    return start..<end
  }
}
