/// What a person typed, as a query that the index understands and never refuses.
///
/// Words have to be in the object, all of them and in any order. Words between quotation marks have to
/// follow one another. A word that ends with a star, or every word when asked for, may be the beginning
/// of a longer one. Whatever else means something to the index is taken as text.
struct SearchQuery: Hashable, Sendable {
  /// How many words, or groups of words, are looked for; what follows is left out.
  static let termsMax = 32
  /// How many characters of the text are looked at.
  static let charactersMax = 1000

  /// The query; nil where nothing is asked for.
  let match: String?

  init(_ text: String, prefixes: Bool) {
    var terms: [String] = []
    var isQuoted = false
    var current = ""
    func end() {
      defer { current = "" }
      let isPrefix = !isQuoted && (prefixes || current.last == "*")
      // Signs alone are no words; the index would find nothing, or everything.
      guard current.contains(where: { $0.isLetter || $0.isNumber || $0.isSymbolic }) else { return }
      let escaped = current.replacing("\"", with: "\"\"")
      terms.append("\"\(escaped)\"" + (isPrefix ? " *" : ""))
    }
    for character in text.prefix(Self.charactersMax) {
      // The index would take a NUL as the end.
      let character = character == "\0" ? " " : character
      if character == "\"" || character == "“" || character == "”" {
        end()
        isQuoted.toggle()
      } else if character.isWhitespace && !isQuoted {
        end()
      } else {
        current.append(character)
      }
    }
    // A quotation mark that nothing follows up is none.
    if isQuoted {
      isQuoted = false
      let rest = current
      current = ""
      for character in rest + " " {
        if character.isWhitespace { end() } else { current.append(character) }
      }
    } else {
      end()
    }
    match = terms.isEmpty ? nil : terms.prefix(Self.termsMax).joined(separator: " AND ")
  }
}

extension Character {
  /// Whether the index takes it as part of a word although it is neither letter nor number: characters
  /// of private use.
  fileprivate var isSymbolic: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .privateUse }
  }
}
