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
    for part in query.split(separator: "&").prefix(Self.countMax) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? sides[1] : ""
      guard let name = PercentCoding.decoded(sides[0].utf8, plusIsSpace: isForm),
        let text = PercentCoding.decoded(value.utf8, plusIsSpace: isForm)
      else { continue }
      pairs.append((name, text))
    }
  }

  /// The first value under a name.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
