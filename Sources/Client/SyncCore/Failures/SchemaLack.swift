/// A type or a field that the server's production schema does not have.
public struct SchemaLack: Hashable, Sendable {
  /// The record type.
  public var recordType: String
  /// The field; nil where the type itself is not there.
  public var field: String?

  /// Names what is lacking.
  public init(recordType: String, field: String? = nil) {
    self.recordType = recordType
    self.field = field
  }
}

extension SchemaLack {
  /// Reads the words in which a server refuses what production lacks; nil for any other words.
  ///
  /// A server without our extension tells it in no other way.
  public init?(reason: String) {
    if let type = reason.text(between: "Cannot create new type ", and: " in production schema") {
      self.init(recordType: type)
      return
    }
    guard
      let field = reason.text(between: "Cannot create or modify field '", and: "' in record '"),
      let type = reason.text(between: "' in record '", and: "' in production schema")
    else { return nil }
    self.init(recordType: type, field: field)
  }
}

extension SchemaLack: CustomStringConvertible {
  /// `Entry.remarks`, or `Entry` where it is the type.
  public var description: String { field.map { "\(recordType).\($0)" } ?? recordType }
}

extension String {
  /// What stands between two texts; nil where they are not there, or nothing is.
  fileprivate func text(between start: String, and end: String) -> String? {
    guard let first = firstRange(of: start) else { return nil }
    let rest = self[first.upperBound...]
    guard let last = rest.firstRange(of: end), first.upperBound < last.lowerBound else {
      return nil
    }
    return String(rest[..<last.lowerBound])
  }
}
