/// The parameters of a query, or of a form that was sent: `a=1&b=2`.
struct QueryParameters: Sendable {
  private var pairs: [(name: String, value: String)] = []

  /// How many parameters are looked at; what follows is ignored.
  static let countMax = 64

  /// Reads what stands behind the question mark.
  ///
  /// A plus sign stays one unless `isForm`: tokens are base64, and clients forget to encode them.
  init(_ query: String?, isForm: Bool = false) {
    guard let query else { return }
    // NB: by bytes. A text's characters are found by Unicode's rules, which costs as much as all the rest.
    for part in query.utf8.split(separator: UInt8(ascii: "&")).prefix(Self.countMax) {
      let end = part.firstIndex(of: UInt8(ascii: "="))
      let value = end.map { part[part.index(after: $0)...] }
      guard let name = PercentCoding.decoded(part[..<(end ?? part.endIndex)], plusIsSpace: isForm),
        let text = PercentCoding.decoded(value ?? part[part.endIndex...], plusIsSpace: isForm)
      else { continue }
      pairs.append((name, text))
    }
  }

  /// The first value under a name.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
