public import DataModel
import Foundation

extension FieldValue {
  /// The value as it lies in a column and as a parameter: an integer, a double, a text, bytes or null.
  ///
  /// What a column cannot hold, such as a list, becomes null.
  public var stored: FieldValue {
    switch self {
    case .null, .composite, .list: .null
    case .boolean(let value): .integer(value ? 1 : 0)
    case .integer, .data: self
    case .double(let value): value.isNaN ? Self.storedNaN : self
    case .decimal(let value): .string(value.description)
    case .string(let value): .string(value.normalized)
    case .date(let value): FieldValue.double(value.timeIntervalSinceReferenceDate).stored
    case .uuid(let value): .data(withUnsafeBytes(of: value.uuid) { [UInt8]($0) })
    case .uri(let value): .string(value)
    case .objectID(let value): .string(value.description)
    }
  }

  /// How a NaN lies in a column: SQLite would make null of it.
  static let storedNaN = FieldValue.data([UInt8]("NaN".utf8))

  /// The number that lies in a column as this value; nil for anything else.
  var storedNumber: FieldValue? {
    switch self {
    case .integer, .double: self
    case Self.storedNaN: .double(.nan)
    default: nil
    }
  }

  /// The decimal that lies in a column as this text.
  var storedDecimal: FieldValue? {
    guard case .string(let text) = self else { return nil }
    if text == "NaN" { return .decimal(.nan) }
    return Decimal(string: text, locale: nil).map { .decimal($0) }
  }
}
