import DataModel

/// A piece of SQL under construction; pieces, quoted names and values can be put into it, but no text.
struct SQL: Hashable {
  var text: String
  var values: [FieldValue]

  /// The piece as others see it.
  var fragment: SQLFragment { SQLFragment(text, values) }

  /// Pieces with a word between them, as a balanced tree where there are many, since SQLite limits how
  /// deep an expression may be.
  static func joined(_ parts: [SQL], by word: StaticString) -> SQL {
    if parts.count > 64 {
      let middle = parts.count / 2
      let left = joined(Array(parts[..<middle]), by: word)
      return joined([left, joined(Array(parts[middle...]), by: word)], by: word)
    }
    var all = SQL(text: parts.count > 1 ? "(" : "", values: [])
    for (index, part) in parts.enumerated() {
      if index > 0 { all.text += " \(word) " }
      all.text += part.text
      all.values += part.values
    }
    if parts.count > 1 { all.text += ")" }
    return all
  }

  /// Pieces with commas between them.
  static func list(_ parts: [SQL]) -> SQL {
    SQL(
      text: parts.map(\.text).joined(separator: ", "), values: parts.flatMap(\.values))
  }

  /// A name in quotes.
  static func quoted(_ name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}

extension SQL: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self.init(text: value, values: []) }
  init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  struct StringInterpolation: StringInterpolationProtocol {
    var sql = SQL(text: "", values: [])

    init(literalCapacity: Int, interpolationCount: Int) {
      sql.text.reserveCapacity(literalCapacity)
    }

    mutating func appendLiteral(_ literal: String) { sql.text += literal }

    mutating func appendInterpolation(_ part: SQL) {
      sql.text += part.text
      sql.values += part.values
    }

    /// A name, which is put in quotes.
    mutating func appendInterpolation(name: String) { sql.text += SQL.quoted(name) }

    /// A value, which becomes a parameter.
    mutating func appendInterpolation(value: FieldValue) {
      sql.text += "?"
      sql.values.append(value.stored)
    }

    /// A number of ours, such as an alias's.
    mutating func appendInterpolation(number: Int) { sql.text += String(number) }

    /// A word of ours, such as the name of a function.
    mutating func appendInterpolation(word: String) { sql.text += word }
  }
}
