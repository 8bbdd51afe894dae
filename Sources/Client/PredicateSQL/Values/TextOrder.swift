/// How texts are ordered.
public enum TextOrder: String, CaseIterable, Codable, Hashable, Sendable {
  /// As Swift compares them: capitals before small letters.
  case lexical
  /// As in a dictionary: by case and marks only where all else is equal.
  case dictionary
  /// As in a dictionary, and numbers by how much they are: "item 2" before "item 10".
  case standard

  /// Whether the first text comes before the second one, is equal, or comes after: negative, zero or positive.
  public func order(_ left: String, _ right: String) -> Int {
    switch self {
    case .lexical: left == right ? 0 : left.precedes(right) ? -1 : 1
    case .dictionary: PredicateSQL.order(left, right, [])
    case .standard: standardOrder(left, right)
    }
  }
}

/// The order in which numbers count; what is alike but for case, marks and leading zeros stands together.
private func standardOrder(_ left: String, _ right: String) -> Int {
  let folded = numericOrder(left.folded(.standard).utf8, right.folded(.standard).utf8)
  return folded != 0 ? folded : order(left, right, [])
}

/// The order of bytes, but for runs of digits, which are ordered as numbers.
///
/// NB: digits have bytes in a row, so that a number is before or behind every other byte as a whole, and the
/// order is one.
private func numericOrder(_ left: String.UTF8View, _ right: String.UTF8View) -> Int {
  var (left, right) = (left[...], right[...])
  while let first = left.first, let second = right.first {
    let order: Int
    if first.isDigit && second.isDigit {
      order = numberOrder(left.takeNumber(), right.takeNumber())
    } else {
      order = Int(first) - Int(second)
      (left, right) = (left.dropFirst(), right.dropFirst())
    }
    if order != 0 { return order }
  }
  return (left.isEmpty ? 0 : 1) - (right.isEmpty ? 0 : 1)
}

/// The order of two numbers without leading zeros: the longer one is larger.
private func numberOrder(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Int {
  if left.count != right.count { return left.count - right.count }
  if left.elementsEqual(right) { return 0 }
  return left.lexicographicallyPrecedes(right) ? -1 : 1
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension Substring.UTF8View {
  /// Takes the digits at the beginning, and gives them without leading zeros.
  fileprivate mutating func takeNumber() -> Substring.UTF8View {
    let digits = prefix { $0.isDigit }
    self = self[digits.endIndex...]
    return digits.drop { $0 == 0x30 }
  }
}
