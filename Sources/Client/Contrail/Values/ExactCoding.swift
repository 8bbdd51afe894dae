import Foundation

/// Types of which every value is as it was once it was encoded and decoded, so that one that was set can be read before.
///
/// A type with a coding of its own may make something else of its values, and most have parts that may.
@usableFromInline
enum ExactCoding {
  /// Whether values of a type are encoded whole, and come back as they were.
  @usableFromInline
  static func isOf(_ type: Any.Type) -> Bool {
    // Of an optional in an optional, JSON does not tell which of them has no value.
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return wrapped is any ExactlyCoded.Type
  }
}

private protocol ExactlyCoded {}

extension Bool: ExactlyCoded {}
extension Int: ExactlyCoded {}
extension Int8: ExactlyCoded {}
extension Int16: ExactlyCoded {}
extension Int32: ExactlyCoded {}
extension Int64: ExactlyCoded {}
extension UInt: ExactlyCoded {}
extension UInt8: ExactlyCoded {}
extension UInt16: ExactlyCoded {}
extension UInt32: ExactlyCoded {}
extension UInt64: ExactlyCoded {}
extension String: ExactlyCoded {}
extension UUID: ExactlyCoded {}
extension Array: ExactlyCoded where Element: ExactlyCoded {}
extension Set: ExactlyCoded where Element: ExactlyCoded {}
extension Dictionary: ExactlyCoded where Key == String, Value: ExactlyCoded {}
