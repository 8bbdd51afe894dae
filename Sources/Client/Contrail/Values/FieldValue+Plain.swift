import DataModel
import Foundation
import ObjectStore

extension FieldValue {
  /// The value as a property's type has it; nil for none.
  func plain(as kind: PropertyKind?) -> (any Sendable)? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .uri(let text): URL(string: text)
    case .boolean(let flag): flag
    case .integer(let number): kind?.integer(number) ?? number
    case .double(let number): number
    case .decimal(let number): number
    case .date(let date): date
    case .uuid(let uuid): uuid
    case .data(let bytes): Data(bytes)
    case .objectID(let identity): PersistentIdentifier(identity)
    default: shown
    }
  }
}

extension PropertyKind {
  /// A number of the property's type, where that is `Int`, as most are.
  fileprivate func integer(_ number: Int64) -> (any Sendable)? {
    if case .value(.integer64, _) = self { return Int(number) }
    return nil
  }
}
