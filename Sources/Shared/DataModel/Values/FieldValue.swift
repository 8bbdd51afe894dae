public import FoundationEssentials

/// The value of one attribute or record field, whatever its type.
///
/// One compact value serves the store's dynamic objects, the schema's defaults and the wire. Every
/// payload but `decimal` is at most 16 bytes and is kept in place, so that a number, a date or a
/// `UUID` costs no allocation.
public enum FieldValue: Sendable {
  /// No value.
  case null
  /// A truth value.
  case boolean(Bool)
  /// An integer of any width.
  case integer(Int64)
  /// A floating-point number; single precision is widened.
  case double(Double)
  /// An exact decimal number.
  indirect case decimal(Decimal)
  /// Text.
  case string(String)
  /// A point in time.
  case date(Date)
  /// Bytes.
  case data([UInt8])
  /// A universally unique identifier.
  case uuid(UUID)
  /// A uniform resource identifier, kept as its text.
  case uri(String)
  /// The identity of another object.
  indirect case objectID(ObjectIdentity)
  /// The members of a composite attribute, by name.
  case composite([String: FieldValue])
  /// Values of one type, in order.
  case list([FieldValue])
}

extension FieldValue: Hashable {
  /// Equal means *the same stored value*: NaN equals itself, since a merge that compares a field
  /// with its base copy must find an untouched NaN untouched.
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.decimal(let a), .decimal(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.date(let a), .date(let b)):
      a == b
        || (a.timeIntervalSinceReferenceDate.isNaN && b.timeIntervalSinceReferenceDate.isNaN)
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.uri(let a), .uri(let b)): a == b
    case (.objectID(let a), .objectID(let b)): a == b
    case (.composite(let a), .composite(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    default: false
    }
  }

  /// Feeds the kind and the payload to `hasher`; all NaNs hash alike, as they are equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? Double.nan.bitPattern : value.hashBits)
    case .decimal(let value): hasher.combine(value)
    case .string(let value), .uri(let value): hasher.combine(value)
    case .date(let value):
      let seconds = value.timeIntervalSinceReferenceDate
      hasher.combine(seconds.isNaN ? Double.nan.bitPattern : seconds.hashBits)
    case .data(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .objectID(let value): hasher.combine(value)
    case .composite(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    }
  }
}

extension FieldValue {
  /// What a value is, without its payload.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case null, boolean, integer, double, decimal, string, date, data, uuid, uri, objectID, composite
    case list
  }

  /// The value's kind.
  public var kind: Kind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .uri: .uri
    case .objectID: .objectID
    case .composite: .composite
    case .list: .list
    }
  }
}

extension Double {
  /// Bits to hash by: zero and minus zero compare equal, so they hash alike.
  fileprivate var hashBits: UInt64 { self == 0 ? 0 : bitPattern }
}
