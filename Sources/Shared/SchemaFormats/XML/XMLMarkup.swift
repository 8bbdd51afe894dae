extension XMLScanner {
  /// Passes over what may stand before the root element.
  mutating func skipProlog() throws(SchemaFormatError) {
    _ = skip("\u{FEFF}")
    try skipDeclaration()
    var hasDocumentType = false
    while true {
      skipSpace()
      if try skipMiscellany() { continue }
      guard stands("<!DOCTYPE") else { return }
      guard !hasDocumentType else { throw error(expected: "one <!DOCTYPE>", found: "a second one") }
      hasDocumentType = true
      try skipDocumentType()
    }
  }

  /// Passes over what may stand after the root element.
  mutating func skipEpilog() throws(SchemaFormatError) {
    skipSpace()
    while try skipMiscellany() { skipSpace() }
    guard next == nil else { throw error(expected: "the end of the file") }
  }

  /// Passes over one comment or processing instruction, where one stands here.
  mutating func skipMiscellany() throws(SchemaFormatError) -> Bool {
    if stands("<!--") {
      try skipComment()
    } else if stands("<?") {
      try skipInstruction()
    } else {
      return false
    }
    return true
  }

  private mutating func skipComment() throws(SchemaFormatError) {
    let start = offset
    advance(to: offset + 4)
    guard let end = find("--") else {
      throw source.error(at: start, expected: "a comment that ends with -->", found: "no end")
    }
    guard stands("-->", at: end) else {
      throw source.error(at: end, expected: "no -- inside a comment", found: "--")
    }
    advance(to: end + 3)
  }

  private mutating func skipInstruction() throws(SchemaFormatError) {
    let start = offset
    advance(to: offset + 2)
    let target = try name("the name of a processing instruction")
    guard target.lowercased() != "xml" else {
      throw source.error(
        at: start, expected: "an XML declaration only at the very start", found: "<?\(target)")
    }
    guard stands("?>") || next?.isXMLSpace == true else {
      throw error(expected: "a space or ?>")
    }
    guard let end = find("?>") else {
      throw source.error(at: start, expected: "an instruction that ends with ?>", found: "no end")
    }
    advance(to: end + 2)
  }
}

extension XMLScanner {
  /// Passes over `<?xml version="1.0" encoding="UTF-8"?>`, where the file begins so.
  private mutating func skipDeclaration() throws(SchemaFormatError) {
    guard stands("<?xml"), offset + 5 < source.bytes.count, source.bytes[offset + 5].isXMLSpace
    else { return }
    advance(to: offset + 5)
    var isSeparated = false
    for field in XMLDeclarationField.all {
      isSeparated = skipSpace() || isSeparated
      guard stands(field.name) else {
        guard field.isOptional else { throw error(expected: field.name) }
        continue
      }
      guard isSeparated else { throw error(expected: "a space before \(field.name)") }
      _ = skip(field.name)
      skipSpace()
      try require(UInt8(ascii: "="), "= after \(field.name)")
      skipSpace()
      let (value, start) = try quotedValue()
      guard field.accepts(value) else {
        throw source.error(at: start, expected: field.expected, found: "\"\(value)\"")
      }
      isSeparated = false
    }
    skipSpace()
    guard skip("?>") else { throw error(expected: "?>") }
  }

  /// Passes over `<!DOCTYPE plist PUBLIC "…" "…">`.
  ///
  /// An internal subset could define entities, which could grow without bound, so it is refused; the
  /// definition that is named is never fetched.
  private mutating func skipDocumentType() throws(SchemaFormatError) {
    advance(to: offset + 9)
    guard skipSpace() else { throw error(expected: "a space after <!DOCTYPE") }
    _ = try name("the name of the root element")
    var identifiers = 0
    skipSpace()
    if skip("PUBLIC") { identifiers = 2 } else if skip("SYSTEM") { identifiers = 1 }
    for _ in 0..<identifiers {
      guard skipSpace() else { throw error(expected: "a space") }
      _ = try quotedValue()
    }
    skipSpace()
    guard next != UInt8(ascii: "[") else {
      throw error(expected: "no definitions inside <!DOCTYPE>")
    }
    try require(UInt8(ascii: ">"), "> after <!DOCTYPE")
  }
}

/// One field of the XML declaration, in the order in which they must stand.
private struct XMLDeclarationField {
  var name: String
  var isOptional: Bool
  var expected: String
  var accepts: @Sendable (String) -> Bool

  static let all = [
    XMLDeclarationField(name: "version", isOptional: false, expected: "version 1.0 or 1.1") {
      $0 == "1.0" || $0 == "1.1"
    },
    XMLDeclarationField(name: "encoding", isOptional: true, expected: "the encoding UTF-8") {
      ["utf-8", "utf8", "us-ascii", "ascii"].contains($0.lowercased())
    },
    XMLDeclarationField(name: "standalone", isOptional: true, expected: "yes or no") {
      $0 == "yes" || $0 == "no"
    },
  ]
}
