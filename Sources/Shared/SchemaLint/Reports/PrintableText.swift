extension String {
  /// The text on one line and without anything that a terminal would obey: control characters, line
  /// ends and marks that change the direction of writing are spelled out.
  var onOneLine: String {
    guard unicodeScalars.contains(where: { $0.isUnprintable }) else { return self }
    return unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: scalar.isUnprintable ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
      }
    }.joined()
  }
}

extension String {
  /// The text with a capital letter and a full stop; a name at its beginning stays as it is.
  var asSentence: String {
    let firstWord = prefix { !$0.isWhitespace }
    let isName = firstWord.contains { !$0.isLowercase }
    let end = last.map { ".?!".contains($0) } == true ? "" : "."
    return (isName ? self : prefix(1).uppercased() + dropFirst()) + end
  }
}

extension Unicode.Scalar {
  fileprivate var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0: true
    case 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
