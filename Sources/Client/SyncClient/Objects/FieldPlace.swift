public import DataModel
public import RecordWire

/// One field of an entity's records, and where an object has its value.
public struct FieldPlace: Sendable {
  /// The field's name on the wire.
  public let name: String
  /// What it holds, and how that lies in the store.
  public let kind: Kind
  /// The position of the slot in the entity's layout; -1 for the entity's name.
  public let slot: Int
  /// The number that history knows the property by; 0 for the entity's name.
  public let property: Int
  /// The property's name, for messages.
  public let propertyName: String
  /// Whether the server sees only an encrypted form.
  public let isEncrypted: Bool
  /// The field that has the value, as a file, where it is too large for this one.
  public let assetTwin: String?
  /// What reading gives after no value was written: null where the attribute may be without one, else
  /// its default, else its type's empty value.
  public let whenEmpty: RecordValue
  /// The column in what `ObjectReader` selects.
  let column: Int32

  /// What a field holds, and how that lies in the store.
  public enum Kind: Hashable, Sendable {
    /// A whole number of so many bits.
    case integer(bits: Int)
    /// A truth value as 0 or 1.
    case boolean
    /// A floating-point number.
    case double
    /// A floating-point number of single precision.
    case float
    /// A decimal number as text.
    case decimalText
    /// A decimal number as a floating-point number, which rounds it to some 16 digits.
    case decimalNumber
    /// A text or a URI.
    case text
    /// A UUID as upper-case text.
    case uuid
    /// Milliseconds since 1970.
    case date
    /// Bytes within the record.
    case bytes
    /// Bytes as a file.
    case file
    /// The record name of an object whose key is in the row; with the position of its entity in the
    /// layout.
    case toOne(destination: Int)
    /// The record name of an object whose row has this one's key.
    case farToOne(destination: Int)
    /// The place in the order of the object that the to-one in another slot refers to.
    case order(of: Int)
    /// The name of the object's entity, where several share a record type.
    case entityName
  }

  /// The field's type on the wire.
  public var type: RecordSchema.FieldType {
    switch kind {
    case .integer, .boolean, .order: .int64
    case .double, .float, .decimalNumber: .double
    case .decimalText, .text, .uuid, .toOne, .farToOne, .entityName: .string
    case .date: .timestamp
    case .bytes: .bytes
    case .file: .asset
    }
  }

  /// The position in the layout of the entity that a to-one refers to; nil for what is no to-one.
  public var destination: Int? {
    switch kind {
    case .toOne(let destination), .farToOne(let destination): destination
    default: nil
    }
  }

  /// Whether it is for an attribute's value.
  var isAttribute: Bool {
    switch kind {
    case .toOne, .farToOne, .order, .entityName: false
    default: true
    }
  }
}

/// What a property in history stands for.
public enum PropertyMeaning: Sendable {
  /// No record: a derived value, or a list of children whose own records say whose they are.
  case nothing
  /// Fields of the object's record, twins for large values included.
  ///
  /// Of a one-to-one relationship the records at the other end, of the object that was there and of the
  /// one that is there now, have a field too, `opposite`; history names one end only.
  case fields([String], opposite: OppositeField?)
  /// Records of their own, one for each pair; the object stands at this side.
  case edges(EdgeType, from: MappedEdge.Side)
}

/// The field at the other end of a one-to-one relationship.
public struct OppositeField: Hashable, Sendable {
  /// The position in the layout of the entity at that end, or of its ancestor.
  public let destination: Int
  /// The field there.
  public let field: String
}

extension FieldPlace {
  /// The fields of which one has the value: that for a file is the last.
  var fieldNames: [String] { [name] + (assetTwin.map { [$0] } ?? []) }
}
