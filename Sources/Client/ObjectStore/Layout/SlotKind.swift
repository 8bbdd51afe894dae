import DataModel

/// How a property's value lies in the 16 bytes of its slot in a row in memory.
public enum SlotKind: UInt8, Sendable, Hashable {
  /// An `Int64`; truth values and integers of any width.
  case integer
  /// A `Double`.
  case double
  /// A `Double`: seconds since the reference date.
  case date
  /// A `String`.
  case text
  /// A `String`: a decimal number in canonical form.
  case decimal
  /// A `UUID`.
  case uuid
  /// A `BytesSlot`: bytes, or the file beside the store that has them.
  case bytes
  /// A `ReferenceSlot`: a key, and the object itself while it has no lasting key.
  case reference
  /// A `RelatedObjects`: the objects of a relationship whose keys are not in this object's row.
  case related
}

extension SlotKind {
  /// The kind of an attribute's slot; a type that this version does not know is kept as bytes.
  init(_ type: Schema.AttributeType) { self = Self.kinds[type] ?? .bytes }

  private static let kinds: [Schema.AttributeType: SlotKind] = [
    .integer16: .integer, .integer32: .integer, .integer64: .integer, .boolean: .integer,
    .double: .double, .float: .double, .date: .date, .string: .text, .uri: .text,
    .objectID: .text, .decimal: .decimal, .uuid: .uuid, .binaryData: .bytes, .transformable: .bytes,
  ]

  /// The type of a column that holds such values; nil where the value is in no column of its own.
  var columnType: String? {
    switch self {
    case .integer, .reference: "INTEGER"
    case .double, .date: "REAL"
    case .text, .decimal: "TEXT"
    case .uuid, .bytes: "BLOB"
    case .related: nil
    }
  }
}
