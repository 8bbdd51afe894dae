/// What of a request can be refused before it is sent.
enum RequestCheck {
  static func check(_ request: HTTPClientRequest) throws(HTTPClientError) {
    let url = request.url.utf8
    guard !url.isEmpty, url.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw HTTPClientError(
        .badURL, url: printable(request.url), "the URL is empty, or has blanks or controls in it")
    }
    guard schemes.contains(where: { request.url.prefix(8).lowercased().hasPrefix($0) }) else {
      throw HTTPClientError(.badURL, url: request.url, "the URL is neither of http nor of https")
    }
    for field in request.headers.fields {
      if let problem = problem(with: field) {
        throw HTTPClientError(
          .badHeader, url: request.url, "the header '\(printable(field.name))' \(problem)")
      }
    }
  }

  private static let schemes = ["http://", "https://"]

  private static func problem(with field: HTTPClientHeaders.Field) -> String? {
    if field.name.isEmpty || !field.name.utf8.allSatisfy(isToken) {
      return "has a name with characters that no header may have"
    }
    if ownNames.contains(field.name.lowercased()) { return "is for the client to write" }
    // A line break would begin another header.
    if field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) {
      return "has a line break or another control in its value"
    }
    return nil
  }

  /// Headers that say where the body ends.
  private static let ownNames: Set<String> = [
    "content-length", "transfer-encoding", "connection", "expect",
  ]

  /// The characters of RFC 9110, section 5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: marks.contains(byte)
    }
  }

  private static let marks = Set("!#$%&'*+-.^_`|~".utf8)

  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "·" : Character($0) })
  }
}
