import DataModel
import FoundationEssentials

/// How a column's values become those of another type, in SQL.
struct ValueConversion {
  /// Which old values have no equal of the new type; nil where all have one.
  ///
  /// `{x}` stands for the value.
  var violation: String?
  /// The new value; nil where it is the old one.
  var expression: String?
  /// Whether the column's type becomes another.
  var changesType = false
  /// Whether the bytes in the column stay what they are.
  var isIdentity: Bool { expression == nil }

  /// Whether the column itself can stay.
  var isInPlace: Bool { isIdentity && violation == nil && !changesType }

  /// What converts nothing.
  static let same = ValueConversion()

  /// The way from one attribute's values to another's.
  init(_ old: Schema.Attribute, _ new: Schema.Attribute) {
    if old.type == new.type { return }
    let key = Key(from: Family(old.type), to: Family(new.type))
    guard key.from != .other || key.to != .other, let row = Self.rows[key] else {
      violation = "1"
      expression = "NULL"
      return
    }
    self = row
    if let range = Self.ranges[new.type], key.from == .integer, !Self.fits(old.type, new.type) {
      violation = "{x} NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    }
    if new.type == .boolean { violation = "{x} NOT IN (0, 1)" }
    if new.type == .float && key.from == .integer && old.type != .integer16 {
      violation = "{x} NOT BETWEEN -16777216 AND 16777216"
    }
    if old.type == .float || old.type == .boolean, key.to == key.from { violation = nil }
  }

  private init(violation: String? = nil, expression: String? = nil) {
    self.violation = violation
    self.expression = expression
  }

  private enum Family: Hashable {
    case integer, real, decimal, other

    init(_ type: Schema.AttributeType) {
      self =
        switch type {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .double, .float: .real
        case .decimal: .decimal
        default: .other
        }
    }
  }

  private struct Key: Hashable {
    var from: Family
    var to: Family
  }

  /// NB: a NaN is kept as a blob, and the largest doubles have no integer.
  private static let rows: [Key: ValueConversion] = [
    Key(from: .integer, to: .integer): ValueConversion(),
    Key(from: .integer, to: .real): ValueConversion(
      violation: "{x} NOT BETWEEN -9007199254740992 AND 9007199254740992",
      expression: "CAST({x} AS REAL)"),
    Key(from: .integer, to: .decimal): ValueConversion(expression: "CAST({x} AS TEXT)"),
    // A double has no single of the same value, unless it is a whole number that is small enough.
    Key(from: .real, to: .real): ValueConversion(
      violation:
        "typeof({x}) = 'blob' OR {x} <> CAST({x} AS INTEGER) OR abs({x}) > 16777216"),
    Key(from: .real, to: .integer): ValueConversion(
      violation:
        "typeof({x}) = 'blob' OR {x} <> CAST({x} AS INTEGER) OR abs({x}) > 9007199254740992",
      expression: "CAST({x} AS INTEGER)"),
  ]

  private static let ranges: [Schema.AttributeType: ClosedRange<Int>] = [
    .integer16: -32_768...32_767, .integer32: -2_147_483_648...2_147_483_647,
  ]

  private static func fits(_ old: Schema.AttributeType, _ new: Schema.AttributeType) -> Bool {
    old == .boolean || (old == .integer16 && new == .integer32)
  }
}

extension ValueConversion {
  /// The new value of `value`, null where it has none.
  func converted(_ value: String) -> String {
    let plain = expression?.replacing("{x}", with: value) ?? value
    guard let violation else { return plain }
    return "CASE WHEN \(violation.replacing("{x}", with: value)) THEN NULL ELSE \(plain) END"
  }

  /// Whether `value` is there and has no equal of the new type; nil where that cannot be.
  func violated(_ value: String) -> String? {
    violation.map {
      "(\(value) IS NOT NULL AND (\($0.replacing("{x}", with: value))))"
    }
  }
}

/// Values as SQL writes them.
enum SQLLiteral {
  /// The default value of a slot as its column holds it; nil where there is none that fits.
  static func defaultValue(_ slot: Int, _ layout: EntityLayout) -> String? {
    let value = layout.slots[slot].defaultValue
    guard value != .null, layout.slots[slot].attribute != nil else { return nil }
    let row = Row(layout)
    defer { row.free(layout) }
    guard row.setValue(slot, value, layout), row.isPresent(slot) else { return nil }
    switch layout.slots[slot].kind {
    case .integer: return String(row.integer(slot, layout))
    case .double, .date: return double(row.double(slot, layout))
    case .text, .decimal: return text(row.text(slot, layout))
    case .uuid: return withUnsafeBytes(of: row.uuid(slot, layout).uuid) { blob(Array($0)) }
    case .bytes: return blob(row.bytes(slot, layout).bytes)
    case .reference, .related: return nil
    }
  }

  /// Whether `ALTER TABLE` takes the value as a default: it takes no expressions.
  static func isConstant(_ literal: String) -> Bool { !literal.hasPrefix("CAST") }

  private static func double(_ value: Double) -> String {
    if value.isNaN { return blob(storedNaN) }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    return String(value)
  }

  static func text(_ text: String) -> String {
    if text.utf8.contains(0) { return "CAST(\(blob(Array(text.utf8))) AS TEXT)" }
    return "'\(text.replacing("'", with: "''"))'"
  }

  private static func blob(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "x'\(String(decoding: text, as: UTF8.self))'"
  }
}
