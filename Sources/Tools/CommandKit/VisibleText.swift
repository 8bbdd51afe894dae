extension String {
  /// The text without anything that a terminal would obey, line ends and tabs excepted: control
  /// characters, and marks that change the direction of writing, are spelled out.
  ///
  /// Names in a file are chosen by whoever wrote the file, and must not recolour, overwrite or reorder
  /// what a tool says of them.
  package var visible: String {
    guard unicodeScalars.contains(where: { $0.isObeyed }) else { return self }
    return unicodeScalars.map { scalar in
      scalar.isObeyed ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isObeyed: Bool {
    switch value {
    case 0x09, 0x0a: false
    case 0..<0x20, 0x7f..<0xa0: true
    case 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
