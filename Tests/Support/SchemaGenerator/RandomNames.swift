/// Names as people give them, and names that nobody should.
package enum RandomNames {
  /// A name such as a model has: mostly plain, from so few that neighbours often share one.
  package static func plain(_ generator: inout SeededGenerator) -> String {
    let word = generator.pick(words, or: "name")
    return generator.oneIn(3) ? word + String(generator.below(20)) : word
  }

  /// A name that may need quotes: reserved words, dots, spaces, other scripts.
  package static func quotable(_ generator: inout SeededGenerator) -> String {
    generator.oneIn(3) ? generator.pick(odd, or: "odd") : plain(&generator)
  }

  /// Any text: empty, with quotes, control characters, or characters beyond the basic plane.
  package static func text(_ generator: inout SeededGenerator) -> String {
    switch generator.below(4) {
    case 0: return quotable(&generator)
    case 1: return generator.pick(hostile, or: "")
    default:
      return (0..<generator.below(12)).map { _ in
        String(Character(generator.pick(scalars, or: "x")))
      }.joined()
    }
  }

  private static let words = [
    "LogEntry", "Pilot", "Aircraft", "duration", "tailNumber", "remarks", "date", "name", "Tag",
    "a", "B", "entity_name", "x9", "CD_name", "Route",
  ]
  private static let odd = [
    "grant", "Queryable", "SORTABLE", "searchable", "preferred", "list", "string", "cloudkit.share",
    "_icloud", "___recordID", "two words", "9lives", "Flughöhe", "高度", "🛫", "a-b", "--", "/*", ";",
  ]
  private static let hostile = [
    "", "\"", "\\", "\n", "\u{0}", "\u{7f}", "\u{2028}", "\u{fffd}", "\u{10ffff}", "null", "\t\r\n",
    "</script>", "e\u{301}", "\u{1f468}\u{200d}\u{1f469}",
  ]
  private static let scalars: [Unicode.Scalar] = [
    "a", "Z", "0", "_", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{e9}", "\u{20ac}", "\u{1f6eb}",
    "{", "]", ",", ":",
  ]
}
