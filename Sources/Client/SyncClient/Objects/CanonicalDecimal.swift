import FoundationEssentials

/// Decimal numbers as text: the shortest that says the number, without an exponent.
enum CanonicalDecimal {
  /// How many characters of a text are looked at; a decimal's 38 digits and its exponent need fewer.
  static let charactersMax = 400
  /// How many digits every decimal keeps.
  private static let digitsMax = 38

  /// The canonical text of a decimal number; nil for what is none.
  ///
  /// Digits beyond those of a decimal are rounded away.
  static func text(_ text: String) -> String? {
    if isCanonical(text) { return text }
    guard isNumber(text), let number = Decimal(string: text), !number.isNaN else { return nil }
    return number.description
  }

  /// The number nearest to a decimal's text; nil for what is none, or too large.
  static func number(_ text: String) -> Double? {
    guard let text = self.text(text), let number = Double(text), number.isFinite else {
      return nil
    }
    // Minus zero is zero.
    return number + 0
  }

  /// The canonical text of the decimal that is written like `number`, with as few digits as tell it from
  /// all other numbers; nil where decimals do not go so far.
  static func text(_ number: Double) -> String? {
    guard number.isFinite else { return nil }
    let shortest = "\(number)"
    guard let text = text(shortest) ?? text(padded(shortest)), let back = Double(text) else {
      return nil
    }
    // Beyond a decimal's exponents it becomes zero, or another number.
    return back == number ? text : nil
  }

  /// A number such as `1.5e+130` with as many digits as a decimal keeps, and a smaller exponent:
  /// exponents of decimals end at 127.
  private static func padded(_ shortest: String) -> String {
    let parts = shortest.split(separator: "e")
    guard parts.count == 2, let mantissa = parts.first, let exponent = Int(parts[1]) else {
      return shortest
    }
    let fraction = mantissa.split(separator: ".").dropFirst().first ?? ""
    let zeros = max(0, digitsMax - mantissa.utf8.count)
    let digits = mantissa.filter { $0 != "." } + String(repeating: "0", count: zeros)
    return "\(digits)e\(exponent - fraction.utf8.count - zeros)"
  }

  /// Whether a text is canonical already: so most are, and then nothing has to be made of them.
  private static func isCanonical(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = bytes[...]
      if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard rest.count <= digitsMax, let first = rest.first, let last = rest.last else {
        return false
      }
      let whole = rest.prefix { isDigit($0) }
      if whole.isEmpty || (first == UInt8(ascii: "0") && whole.count > 1) { return false }
      if whole.count == rest.count { return whole.count > 1 || bytes.count == 1 || first != zero }
      let fraction = rest.dropFirst(whole.count + 1)
      return rest[whole.endIndex] == UInt8(ascii: ".") && !fraction.isEmpty
        && fraction.allSatisfy(isDigit) && last != zero
    }
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether a text as a whole is a number: `Decimal` takes the beginning of one.
  private static func isNumber(_ text: String) -> Bool {
    var rest = Array(text.utf8.prefix(charactersMax + 1))[...]
    if rest.isEmpty || rest.count > charactersMax { return false }
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let whole = rest.prefix(while: isDigit)
    rest.removeFirst(whole.count)
    var digits = whole.count
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = rest.prefix(while: isDigit)
      rest.removeFirst(fraction.count)
      digits += fraction.count
    }
    if digits == 0 { return false }
    guard let exponent = rest.first else { return true }
    guard exponent == UInt8(ascii: "e") || exponent == UInt8(ascii: "E") else { return false }
    rest.removeFirst()
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    return !rest.isEmpty && rest.count <= 4 && rest.allSatisfy(isDigit)
  }
}
