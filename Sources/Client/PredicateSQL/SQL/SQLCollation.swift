import DataModel

/// An order of texts that SQLite lacks, to be registered on each connection that runs our SQL.
public struct SQLCollation: Sendable {
  /// The collation's name in SQL.
  public var name: String
  /// Negative, zero or positive, as the first text, in UTF-8, comes before the second, is equal, or
  /// comes after.
  public var compare: @Sendable (Span<UInt8>, Span<UInt8>) -> Int

  /// Every collation that our SQL names.
  public static let rows: [SQLCollation] = [
    // Texts as Swift compares them: canonically equivalent ones are equal.
    SQLCollation(name: "contrail_unicode") { left, right in
      if isASCII(left) && isASCII(right) { return byteOrder(left, right) }
      let (left, right) = (text(left), text(right))
      if left == right { return 0 }
      return left.precedes(right) ? -1 : 1
    },
    // Texts as in a dictionary.
    SQLCollation(name: "contrail_localized") { TextOrder.dictionary.order(text($0), text($1)) },
    // Texts as in a dictionary, and numbers in them by how much they are.
    SQLCollation(name: "contrail_standard") { TextOrder.standard.order(text($0), text($1)) },
    // Decimals, which lie in columns as texts.
    SQLCollation(name: "contrail_decimal") { left, right in
      if byteOrder(left, right) == 0 { return 0 }
      let first = FieldValue.string(text(left)).storedDecimal
      let second = FieldValue.string(text(right)).storedDecimal
      guard let first, let second else { return (first == nil ? 0 : 1) - (second == nil ? 0 : 1) }
      return first == second ? 0 : (first.isLess(than: second) ?? false) ? -1 : 1
    },
  ]
}

private func text(_ bytes: Span<UInt8>) -> String {
  bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

private func isASCII(_ bytes: Span<UInt8>) -> Bool {
  for index in bytes.indices where bytes[index] >= 0x80 { return false }
  return true
}

private func byteOrder(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
  for index in 0..<min(left.count, right.count) where left[index] != right[index] {
    return left[index] < right[index] ? -1 : 1
  }
  return left.count - right.count
}
