extension String {
  /// The text for an attribute's value or an element's content in XML 1.0.
  ///
  /// What XML cannot say at all, such as most control characters, becomes U+FFFD. Line ends and tabs
  /// are written as references in order to survive attributes, and read well in content, too.
  var escapedForXML: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\t", "\n", "\r": "&#\(scalar.value);"
      default: scalar.isForbiddenInXML ? "\u{fffd}" : String(scalar)
      }
    }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isForbiddenInXML: Bool { value < 0x20 || value == 0xfffe || value == 0xffff }
}
