public import DataModel

/// A value that came without its type, as far as its JSON tells what it is.
public enum UntypedValue: Hashable, Sendable {
  /// A number without fraction and exponent: INT64, DOUBLE or TIMESTAMP.
  case integer(Int64)
  /// Another number: DOUBLE.
  case double(Double)
  /// Text: STRING, base64 of BYTES, or a number as a string.
  case string(String)
  /// A truth value: INT64, as 0 or 1.
  case boolean(Bool)
  /// An object with a `recordName`.
  case reference(RecordReference)
  /// An object with a `latitude`.
  case location(RecordLocation)
  /// An object with a `fileChecksum` or a `receipt`.
  case asset(RecordAsset)
  /// A list.
  case array([UntypedValue])

  var byteCount: Int {
    switch self {
    case .integer, .double, .boolean: 8
    case .string(let text): text.utf8.count
    case .reference(let reference): reference.recordName.utf8.count
    case .location: RecordLocation.byteCount
    case .asset: RecordAsset.byteCount
    case .array(let elements): elements.reduce(0) { $0 + $1.byteCount }
    }
  }
}

/// Why a value is none of the type that was expected.
public struct ValueMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The wire's word for what was expected: `TIMESTAMP`, `STRING_LIST`.
  public var expected: String

  /// Makes a mismatch.
  public init(expected: String) { self.expected = expected }

  /// The reason as servers of this protocol word it.
  public var reason: String { "Invalid value, expected type \(expected)." }

  /// The reason.
  public var description: String { reason }
}

extension RecordValue {
  /// The value as the schema has it: untyped ones get the type, others must have it already.
  ///
  /// A `number` takes both kinds of numbers. Null passes, and so does a whole number where a double
  /// is wanted, but only without a type.
  public func coerced(
    to type: RecordSchema.FieldType, isList: Bool
  ) throws(ValueMismatch) -> RecordValue {
    let mismatch = ValueMismatch(expected: WireType(type, isList: isList).expectedName)
    switch self {
    case .null: return .null
    case .untyped(.array(let elements)) where isList:
      var list: [RecordValue] = []
      list.reserveCapacity(elements.count)
      for element in elements {
        guard let value = element.value(as: type) else { throw mismatch }
        list.append(value)
      }
      return .list(list, of: type)
    case .untyped(let value) where !isList:
      guard let value = value.value(as: type) else { throw mismatch }
      return value
    default:
      let isNumber = type == .number && (self.type == .int64 || self.type == .double)
      guard self.isList == isList, self.type == type || isNumber else { throw mismatch }
      return self
    }
  }

  /// The value with the type that its JSON suggests, for a field that no schema knows yet; nil where
  /// it suggests none, such as an empty list.
  public var inferred: RecordValue? {
    guard case .untyped(let value) = self else { return self }
    if case .array(let elements) = value {
      guard let first = elements.first, let type = first.suggestedType(among: elements) else {
        return nil
      }
      return try? coerced(to: type, isList: true)
    }
    return value.suggestedType(among: [value]).flatMap { value.value(as: $0) }
  }
}

extension UntypedValue {
  /// The value as one of `type`; nil where it is none.
  func value(as type: RecordSchema.FieldType) -> RecordValue? {
    switch (type, self) {
    case (.string, .string(let text)): .string(text)
    case (.int64, .integer(let value)), (.number, .integer(let value)): .int64(value)
    case (.int64, .boolean(let value)), (.number, .boolean(let value)): .int64(value ? 1 : 0)
    case (.int64, .string(let text)): NumberText.int64(text).map { .int64($0) }
    case (.number, .string(let text)):
      NumberText.int64(text).map { .int64($0) } ?? NumberText.double(text).map { .double($0) }
    case (.double, .double(let value)), (.number, .double(let value)): .double(value)
    case (.double, .integer(let value)): .double(Double(value))
    case (.double, .string(let text)): NumberText.double(text).map { .double($0) }
    case (.timestamp, .integer(let value)): .timestamp(value)
    case (.timestamp, .string(let text)): NumberText.int64(text).map { .timestamp($0) }
    case (.bytes, .string(let text)): Base64Text.bytes(text).map { .bytes($0) }
    case (.reference, .reference(let reference)): .reference(reference)
    case (.location, .location(let location)): .location(location)
    case (.asset, .asset(let asset)): .asset(asset)
    default: nil
    }
  }

  /// What the value looks like beside others of its list: whole numbers are doubles where one of
  /// them has a fraction.
  fileprivate func suggestedType(among elements: [UntypedValue]) -> RecordSchema.FieldType? {
    switch self {
    case .integer, .double:
      elements.contains { if case .double = $0 { true } else { false } } ? .double : .int64
    case .boolean: .int64
    case .string: .string
    case .reference: .reference
    case .location: .location
    case .asset: .asset
    case .array: nil
    }
  }
}
