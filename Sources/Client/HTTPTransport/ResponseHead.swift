/// Status and headers of an answer, taken line by line.
struct ResponseHead {
  private(set) var status = 0
  private(set) var headers = HTTPClientHeaders()
  /// Whether the empty line has come: what follows the body is no header of the answer.
  private var isWhole = false

  /// Takes a line with its end.
  ///
  /// Each status line begins a new head: after an interim answer, and after a redirect.
  mutating func take(_ line: UnsafeRawBufferPointer) {
    let text = Self.trimmed(line[...])
    if text.starts(with: "HTTP/".utf8) {
      self = ResponseHead()
      let words = text.split(separator: UInt8(ascii: " "), maxSplits: 2)
      status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    } else if text.isEmpty {
      isWhole = true
    } else if !isWhole {
      takeHeader(text, isContinued: Self.isBlank(line[line.startIndex]))
    }
  }

  /// The length that the head claims of the body, which is read at least in part before it is believed.
  var bodyBytesExpected: Int {
    min(Int(headers["Content-Length"] ?? "") ?? 0, Self.believedBytesMax)
  }

  /// How much memory a claim alone may cost.
  private static let believedBytesMax = 32 << 20

  private mutating func takeHeader(_ text: Slice<UnsafeRawBufferPointer>, isContinued: Bool) {
    if isContinued { return headers.continueLast(with: String(decoding: text, as: UTF8.self)) }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
    headers.add(
      String(decoding: text[..<colon], as: UTF8.self),
      String(decoding: Self.trimmed(text[text.index(after: colon)...]), as: UTF8.self))
  }

  private static func trimmed(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var rest = bytes
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a
  }
}
