/// A word of a query's text.
struct QueryToken: Hashable {
  enum Kind: Hashable {
    /// A name or a keyword.
    case word(String)
    /// `'text'` or `"text"`.
    case text(String)
    case number(String)
    /// An operator or a bracket.
    case sign(String)
    case end
  }

  var kind: Kind
  /// Where it begins: a count of characters from 1.
  var position: Int

  /// The token as a message shows it.
  var shown: String {
    switch kind {
    case .word(let word), .sign(let word), .number(let word): "\"\(word)\""
    case .text(let text): "the text '\(text.prefix(40))'"
    case .end: "the end"
    }
  }
}

/// Cuts a query's text into words.
struct QueryLexer {
  private let characters: [Character]
  private var place = 0

  /// The signs, longer ones before those that they begin with.
  private static let signs = [
    "==", "!=", "<>", "<=", ">=", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",",
    ".", "-", "@",
  ]

  /// All tokens of a text, with the end as the last.
  static func tokens(of text: String) throws(QueryProblem) -> [QueryToken] {
    guard text.utf8.count <= QueryExpression.textBytesMax else {
      throw QueryProblem(
        .malformedText, in: String(text.prefix(40)),
        "a query has \(QueryExpression.textBytesMax) bytes at most")
    }
    var lexer = QueryLexer(characters: Array(text))
    var tokens: [QueryToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private init(characters: [Character]) { self.characters = characters }

  private var current: Character? { place < characters.count ? characters[place] : nil }

  private mutating func next() throws(QueryProblem) -> QueryToken {
    while let space = current, space.isWhitespace || space.isNewline { place += 1 }
    let position = place + 1
    guard let first = current else { return QueryToken(kind: .end, position: position) }
    if first == "'" || first == "\"" {
      return QueryToken(kind: .text(try quoted(first)), position: position)
    }
    if first.isASCII && first.isNumber {
      return QueryToken(kind: .number(number()), position: position)
    }
    if first.isLetter || first == "_" {
      return QueryToken(
        kind: .word(run { $0.isLetter || $0.isNumber || $0 == "_" }), position: position)
    }
    for sign in Self.signs where characters[place...].starts(with: sign) {
      place += sign.count
      return QueryToken(kind: .sign(sign), position: position)
    }
    throw QueryProblem(
      .malformedText, in: "\"\(first)\"",
      "at character \(position) stands something that no query has", at: position)
  }

  private mutating func run(while isPart: (Character) -> Bool) -> String {
    let start = place
    while let character = current, isPart(character) { place += 1 }
    return String(characters[start..<place])
  }

  private mutating func number() -> String {
    var text = run { $0.isASCII && $0.isNumber }
    if current == ".", place + 1 < characters.count, characters[place + 1].isNumber {
      place += 1
      text += "." + run { $0.isASCII && $0.isNumber }
    }
    if current == "e" || current == "E" {
      let sign = place + 1 < characters.count && "+-".contains(characters[place + 1]) ? 1 : 0
      if place + 1 + sign < characters.count, characters[place + 1 + sign].isNumber {
        text += String(characters[place...(place + sign)])
        place += 1 + sign
        text += run { $0.isASCII && $0.isNumber }
      }
    }
    return text
  }

  private mutating func quoted(_ quote: Character) throws(QueryProblem) -> String {
    let position = place + 1
    place += 1
    var text = ""
    while let character = current {
      place += 1
      if character == quote { return text }
      if character == "\\", let escaped = current {
        place += 1
        text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
      } else {
        text.append(character)
      }
    }
    throw QueryProblem(
      .malformedText, in: "'\(text.prefix(40))", "the text at character \(position) has no end",
      at: position)
  }
}
