/// The fields of a record in wire form: the JSON object that stands under `fields`.
///
/// A server keeps these bytes and copies them into pages.
public struct FieldBytes: Hashable, Sendable {
  /// The JSON object.
  public let json: [UInt8]

  /// No fields.
  public static let empty = FieldBytes(checked: Array("{}".utf8))

  /// Takes bytes that this module made, or read, before: they go into messages unchecked.
  public init(checked json: [UInt8]) { self.json = json }
}
