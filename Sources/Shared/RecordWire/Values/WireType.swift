import DataModel

/// A type as the wire names it: what a value is, whether it is a list of such, and whether the name
/// says that it is encrypted.
struct WireType: Sendable {
  var type: RecordSchema.FieldType
  var isList: Bool
  /// What is written for it.
  var name: StaticString
  /// Whether the name itself says that the value is kept encrypted.
  var isEncrypted = false

  /// Every name that is read; of two for one type the first is written.
  static let rows: [WireType] = [
    WireType(type: .string, isList: false, name: "STRING"),
    WireType(type: .int64, isList: false, name: "INT64"),
    WireType(type: .double, isList: false, name: "DOUBLE"),
    WireType(type: .timestamp, isList: false, name: "TIMESTAMP"),
    WireType(type: .bytes, isList: false, name: "BYTES"),
    WireType(type: .reference, isList: false, name: "REFERENCE"),
    WireType(type: .location, isList: false, name: "LOCATION"),
    WireType(type: .asset, isList: false, name: "ASSETID"),
    WireType(type: .asset, isList: false, name: "ASSET"),
    WireType(type: .string, isList: true, name: "STRING_LIST"),
    WireType(type: .int64, isList: true, name: "INT64_LIST"),
    WireType(type: .double, isList: true, name: "DOUBLE_LIST"),
    WireType(type: .timestamp, isList: true, name: "TIMESTAMP_LIST"),
    WireType(type: .bytes, isList: true, name: "BYTES_LIST"),
    WireType(type: .reference, isList: true, name: "REFERENCE_LIST"),
    WireType(type: .location, isList: true, name: "LOCATION_LIST"),
    WireType(type: .asset, isList: true, name: "ASSETID_LIST"),
    WireType(type: .asset, isList: true, name: "ASSET_LIST"),
    WireType(type: .bytes, isList: false, name: "ENCRYPTED_BYTES", isEncrypted: true),
  ]

  /// The name for a list whose elements have no known type.
  static let unknownList: StaticString = "UNKNOWN_LIST"
}

extension WireType {
  /// The row that is written for a type; a number that nobody settled is written as a double.
  init(_ type: RecordSchema.FieldType, isList: Bool) {
    self.init(type: type, isList: isList, name: Self.name(type, isList: isList))
  }

  /// The name as a `String`, for messages.
  var text: String { "\(name)" }

  /// The name for messages about what was expected.
  var expectedName: String { type == .number ? (isList ? "NUMBER_LIST" : "NUMBER") : text }

  private static func name(_ type: RecordSchema.FieldType, isList: Bool) -> StaticString {
    switch type {
    case .string: isList ? "STRING_LIST" : "STRING"
    case .int64: isList ? "INT64_LIST" : "INT64"
    case .double, .number: isList ? "DOUBLE_LIST" : "DOUBLE"
    case .timestamp: isList ? "TIMESTAMP_LIST" : "TIMESTAMP"
    case .bytes: isList ? "BYTES_LIST" : "BYTES"
    case .reference: isList ? "REFERENCE_LIST" : "REFERENCE"
    case .location: isList ? "LOCATION_LIST" : "LOCATION"
    case .asset: isList ? "ASSETID_LIST" : "ASSETID"
    }
  }
}
