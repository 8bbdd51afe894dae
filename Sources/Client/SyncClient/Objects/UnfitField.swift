import DataModel
import RecordWire

/// A field of a record whose value an object cannot take: the object keeps what it had, or is empty
/// there.
public struct UnfitField: Hashable, Sendable {
  /// The field.
  public var field: String
  /// The property that it is for, as `Entity.property`.
  public var property: String
  /// What the property takes: `INT64 of 16 bits`.
  public var expected: String
  /// What came: `STRING`, or the value itself where its type is right.
  public var found: String

  /// Describes a value that does not fit.
  public init(field: String, property: String, expected: String, found: String) {
    self.field = field
    self.property = property
    self.expected = expected
    self.found = found
  }
}

extension UnfitField: CustomStringConvertible {
  /// What was expected where, and what came.
  public var description: String { "\(property): \(field) should be \(expected), and is \(found)" }
}

extension UnfitField {
  /// How much of a value is shown.
  private static let shownMax = 80

  init(_ value: RecordValue, _ place: FieldPlace, of type: ObjectType) {
    self.init(
      field: place.name, property: "\(type.entity).\(place.propertyName)",
      expected: place.expected, found: Self.shown(value, as: place))
  }

  private static func shown(_ value: RecordValue, as place: FieldPlace) -> String {
    switch value {
    case .int64(let number) where place.type == .int64: "\(number)"
    case .double(let number) where place.type == .double: "\(number)"
    case .timestamp(let time) where place.type == .timestamp: "\(time)"
    case .string(let text) where place.type == .string: "\"\(text.prefix(shownMax))\""
    case .unknown(let type, _): type
    case .untyped: "a value without a type"
    default: (value.type?.rawValue ?? "null") + (value.isList ? " list" : "")
    }
  }
}

extension FieldPlace {
  /// What the field takes, in words.
  fileprivate var expected: String {
    switch kind {
    case .integer(let bits) where bits < 64: "INT64 of \(bits) bits"
    case .float: "DOUBLE of single precision"
    case .decimalText: "STRING with a decimal number"
    case .decimalNumber: "DOUBLE within the range of decimal numbers"
    case .uuid: "STRING with a UUID"
    case .toOne, .farToOne: "STRING with the name of a record of the right type"
    default: type.rawValue
    }
  }
}
