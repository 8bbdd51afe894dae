extension String {
  /// The finite number that the text spells in decimal notation; nil where it spells none.
  package var plainNumber: Double? {
    guard isPlainNumber, let value = Double(self), value.isFinite else { return nil }
    return value
  }

  /// Whether the text is a number in decimal notation, as in `-12`, `0.5` or `1e-3`: the number types'
  /// own readers also take words and hexadecimal digits.
  var isPlainNumber: Bool {
    var rest = utf8[...]
    func skipSign() { if rest.first == 0x2D || rest.first == 0x2B { rest.removeFirst() } }
    func skipDigits() -> Int {
      let count = rest.count
      rest = rest.drop { 0x30...0x39 ~= $0 }
      return count - rest.count
    }
    skipSign()
    var digits = skipDigits()
    if rest.first == 0x2E {
      rest.removeFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return false }
    if rest.first == 0x65 || rest.first == 0x45 {
      rest.removeFirst()
      skipSign()
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
