/// What a kind of text may look like.
struct NameRule {
  var subject: String
  var byteCounts: ClosedRange<Int>
  var allows: @Sendable (Unicode.Scalar) -> Bool
  var words: String

  func check(_ text: String) throws(AccountError) {
    if byteCounts.contains(text.utf8.count) && text.unicodeScalars.allSatisfy(allows) { return }
    throw AccountError(
      .invalidName, "\(subject) \"\(text.shownInErrors)\"", "may not be named so",
      fix: "use \(byteCounts.lowerBound) to \(byteCounts.upperBound) bytes of \(words)")
  }

  /// The names of containers go into paths of URLs and of files.
  static let container = NameRule(
    subject: "container", byteCounts: 1...AccessLimits.nameBytesMax, allows: isPlain,
    words: "letters, digits, dots, hyphens and underscores")
  static let environment = NameRule(
    subject: "environment", byteCounts: 1...AccessLimits.nameBytesMax, allows: isPlain,
    words: "letters, digits, dots, hyphens and underscores")
  static let signInName = NameRule(
    subject: "user", byteCounts: 1...AccessLimits.nameBytesMax,
    allows: { isVisible($0) && $0 != " " },
    words: "visible characters without spaces")
  static let role = NameRule(
    subject: "role", byteCounts: 1...AccessLimits.nameBytesMax,
    // The names of standard roles begin with an underscore, and nobody has one of those by a list.
    allows: isVisible, words: "visible characters")
  static let tokenName = NameRule(
    subject: "name", byteCounts: 1...AccessLimits.nameBytesMax, allows: isVisible,
    words: "visible characters")
  static let personal = NameRule(
    subject: "text", byteCounts: 0...AccessLimits.nameBytesMax, allows: isVisible,
    words: "visible characters")
  static let notes = NameRule(
    subject: "notes", byteCounts: 0...AccessLimits.notesBytesMax,
    allows: { isVisible($0) || $0 == "\n" || $0 == "\t" }, words: "visible characters")

  private static let isPlain: @Sendable (Unicode.Scalar) -> Bool = { scalar in
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
    default: false
    }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Controls, separators of lines, and what turns the direction of a text around.
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069: false
    default: true
    }
  }
}
