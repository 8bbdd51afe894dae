/// The first line of a request.
struct RequestLine {
  var method: HTTPMethod
  var target: RequestTarget
  var version: HTTPVersion

  /// Reads a line without its end; places count from the start of the head, where the line begins.
  init(_ line: ArraySlice<UInt8>, limits: HTTPLimits) throws(RequestFault) {
    guard let firstSpace = line.firstIndex(of: ASCII.space),
      let lastSpace = line.lastIndex(of: ASCII.space), lastSpace > firstSpace
    else { throw .malformedRequestLine }
    version = try Self.version(line[(lastSpace + 1)...])
    method = try Self.method(line[..<firstSpace], limits: limits)
    let target = line[(firstSpace + 1)..<lastSpace]
    guard target.count <= limits.targetBytesMax else { throw .targetTooLong }
    self.target = try Self.target(target, method: method)
  }

  private static let http11 = Array("HTTP/1.1".utf8)

  private static func version(_ bytes: ArraySlice<UInt8>) throws(RequestFault) -> HTTPVersion {
    if bytes.elementsEqual(http11) { return .http11 }
    if bytes.elementsEqual("HTTP/1.0".utf8) { return .http10 }
    let digits = [bytes.dropFirst(5).first, bytes.last]
    let isVersion =
      bytes.count == 8 && bytes.starts(with: "HTTP/".utf8) && bytes.dropFirst(6).first == 0x2E
      && digits.allSatisfy { $0.map { (0x30...0x39).contains($0) } ?? false }
    throw isVersion ? .unsupportedVersion : .malformedRequestLine
  }

  private static func method(
    _ bytes: ArraySlice<UInt8>, limits: HTTPLimits
  ) throws(RequestFault) -> HTTPMethod {
    guard !bytes.isEmpty, ASCII.all(bytes, ASCII.isToken) else { throw .malformedRequestLine }
    guard bytes.count <= limits.methodBytesMax else { throw .methodTooLong }
    let method = HTTPMethod(rawValue: String(decoding: bytes, as: UTF8.self))
    guard method != .connect else { throw .unservedMethod }
    return method
  }

  /// The four forms of RFC 9112, section 3.2, but for the one of CONNECT.
  private static func target(
    _ bytes: ArraySlice<UInt8>, method: HTTPMethod
  ) throws(RequestFault) -> RequestTarget {
    guard let first = bytes.first, ASCII.areTarget(bytes) else { throw .malformedTarget }
    var path = bytes
    if first != 0x2F {
      if bytes.count == 1, first == 0x2A, method == .options {
        return RequestTarget(whole: bytes.indices, path: bytes.indices, query: nil)
      }
      path = try afterAuthority(bytes)
    }
    let question = ASCII.place(of: 0x3F, in: path)
    return RequestTarget(
      whole: bytes.indices, path: path.startIndex..<question,
      query: question < path.endIndex ? (question + 1)..<path.endIndex : nil)
  }

  private static func afterAuthority(
    _ bytes: ArraySlice<UInt8>
  ) throws(RequestFault) -> ArraySlice<UInt8> {
    guard let scheme = ["http://", "https://"].first(where: { starts(bytes, with: $0) }) else {
      throw .malformedTarget
    }
    let rest = bytes.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
    guard end > rest.startIndex, rest[..<end].allSatisfy(ASCII.isHost) else {
      throw .malformedTarget
    }
    return rest[end...]
  }

  private static func starts(_ bytes: ArraySlice<UInt8>, with scheme: String) -> Bool {
    ASCII.equal(bytes.prefix(scheme.utf8.count), scheme.utf8)
  }
}
