/// One word or sign of a `.ckdb` file and where it stands.
struct CKDBToken {
  enum Kind: Hashable {
    /// A bare word: a keyword or a name.
    case word(String)
    /// A name in quotes, never a keyword.
    case quoted(String)
    /// One of `( ) , ; < >`.
    case sign(UInt8)
    case end
  }

  var kind: Kind
  var position: SourcePosition

  /// The word in capitals, when it may be a keyword.
  var keyword: String? {
    if case .word(let text) = kind { text.uppercased() } else { nil }
  }

  func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign(UInt8(ascii: sign)) }

  /// The token as the rest of "found …".
  var shown: String {
    switch kind {
    case .word(let text): "the word \(text)"
    case .quoted(let text): "the name \"\(text)\""
    case .sign(let byte): "'\(Character(Unicode.Scalar(byte)))'"
    case .end: "the end of the file"
    }
  }
}
