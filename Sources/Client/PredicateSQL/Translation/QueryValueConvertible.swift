public import DataModel
import Foundation

/// Something that a predicate may capture: identities and models adopt it to become `objectID`.
public protocol QueryValueConvertible {
  /// The value that stands for this one in a query.
  var queryValue: FieldValue { get }
}

extension FieldValue {
  /// The value of anything that a predicate may capture; nil for what no attribute can hold.
  package init?(captured value: Any) {
    // Most captured values are of these types, and a switch over them costs less than a look for a
    // conformance.
    switch value {
    case let value as String: self = .string(value)
    case let value as Int: self = .integer(Int64(value))
    case let value as Bool: self = .boolean(value)
    case let value as Double: self = .double(value)
    case let value as any QueryCapturable:
      guard let converted = value.capturedValue else { return nil }
      self = converted
    case let value as any QueryValueConvertible: self = value.queryValue
    case let value as any RawRepresentable:
      guard let raw = FieldValue(captured: value.rawValue) else { return nil }
      self = raw
    default: return nil
    }
  }

  fileprivate init?(members: some Sequence) {
    var list: [FieldValue] = []
    for member in members {
      guard let value = FieldValue(captured: member) else { return nil }
      list.append(value)
    }
    self = .list(list)
  }
}

/// A type whose values predicates capture; `isQueryable` asks the type alone.
protocol QueryCapturable {
  var capturedValue: FieldValue? { get }
  /// Whether values of the type are equal where their captured values are.
  static var isQueryable: Bool { get }
}

extension QueryCapturable {
  static var isQueryable: Bool { true }
}

/// A type that Swift orders as its captured values are ordered.
protocol QueryOrdered: QueryCapturable, Comparable {}

/// A type of numbers that are stored as negative ones where they are above `Int64.max`: SQL would put these
/// first.
protocol StoredOutOfOrder: QueryCapturable {}

/// Whether values of a type are equal in Swift exactly where their captured values are.
func isQueryable(_ type: any Any.Type, names: any QueryNames) -> Bool {
  if let known = type as? any QueryCapturable.Type { return known.isQueryable }
  if let optional = type as? any QueryOptional.Type {
    return isQueryable(optional.wrappedType, names: names)
  }
  return type is any QueryValueConvertible.Type || type is any RawRepresentable.Type
    || names.entityName(of: type) != nil
}

/// An optional, whatever it wraps.
protocol QueryOptional {
  static var wrappedType: any Any.Type { get }
}

extension Optional: QueryOptional {
  static var wrappedType: any Any.Type { Wrapped.self }
}

extension Optional: QueryCapturable {
  var capturedValue: FieldValue? {
    switch self {
    case .none: .null
    case .some(let value): FieldValue(captured: value)
    }
  }

  static var isQueryable: Bool {
    (Wrapped.self as? any QueryCapturable.Type)?.isQueryable
      ?? (Wrapped.self is any QueryValueConvertible.Type
        || Wrapped.self is any RawRepresentable.Type)
  }
}

extension FieldValue: QueryCapturable {
  var capturedValue: FieldValue? { self }
}

extension String: QueryOrdered {
  var capturedValue: FieldValue? { .string(self) }
}
extension Substring: QueryOrdered {
  var capturedValue: FieldValue? { .string(String(self)) }
}
extension Character: QueryOrdered {
  var capturedValue: FieldValue? { .string(String(self)) }
}
extension Bool: QueryCapturable {
  var capturedValue: FieldValue? { .boolean(self) }
}
extension Double: QueryOrdered {
  var capturedValue: FieldValue? { .double(self) }
}
extension Float: QueryOrdered {
  var capturedValue: FieldValue? { .double(Double(self)) }
}
extension CGFloat: QueryOrdered {
  var capturedValue: FieldValue? { .double(Double(self)) }
}
extension Decimal: QueryOrdered {
  var capturedValue: FieldValue? { .decimal(self) }
}
extension Date: QueryOrdered {
  var capturedValue: FieldValue? { .date(self) }
}
extension UUID: QueryOrdered {
  var capturedValue: FieldValue? { .uuid(self) }
}
extension URL: QueryCapturable {
  var capturedValue: FieldValue? { .uri(absoluteString) }
}
extension Data: QueryCapturable {
  var capturedValue: FieldValue? { .data([UInt8](self)) }
}
extension ObjectIdentity: QueryCapturable {
  var capturedValue: FieldValue? { .objectID(self) }
}

extension QueryCapturable where Self: FixedWidthInteger {
  /// Nil for a number beyond 64 bits with a sign, which no attribute holds.
  var capturedValue: FieldValue? { Int64(exactly: self).map { .integer($0) } }
}
extension Int: QueryOrdered {}
extension Int8: QueryOrdered {}
extension Int16: QueryOrdered {}
extension Int32: QueryOrdered {}
extension Int64: QueryOrdered {}
extension UInt: StoredOutOfOrder {}
extension UInt8: QueryOrdered {}
extension UInt16: QueryOrdered {}
extension UInt32: QueryOrdered {}
extension UInt64: StoredOutOfOrder {}

extension Array: QueryCapturable {
  var capturedValue: FieldValue? { FieldValue(members: self) }
  static var isQueryable: Bool { false }
}
extension ArraySlice: QueryCapturable {
  var capturedValue: FieldValue? { FieldValue(members: self) }
  static var isQueryable: Bool { false }
}
extension Set: QueryCapturable {
  /// The members in an order that does not depend on hashing, so that equal predicates have equal
  /// translations.
  var capturedValue: FieldValue? {
    guard case .list(let members)? = FieldValue(members: self) else { return nil }
    let keyed = members.map { (key: $0.shown, value: $0) }
    return .list(keyed.sorted { $0.key < $1.key }.map(\.value))
  }
  static var isQueryable: Bool { false }
}

/// A range of values, as bounds.
protocol QueryBounds {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: QueryBounds {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}
extension ClosedRange: QueryBounds {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}
extension PartialRangeFrom: QueryBounds {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, false) }
}
extension PartialRangeUpTo: QueryBounds {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}
extension PartialRangeThrough: QueryBounds {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}
