public import DataModel

/// Asks whether an environment has the types and fields that a client is about to save: the request of
/// `schema/check`.
public struct SchemaCheckRequest: Hashable, Sendable {
  /// A record type with the fields that are to be saved.
  public struct RecordType: Hashable, Sendable {
    /// The type's name.
    public var name: String
    /// Its fields.
    public var fields: [Field]

    /// Names a type and its fields.
    public init(_ name: String, fields: [Field]) {
      self.name = name
      self.fields = fields
    }
  }

  /// A field as it is to be saved.
  public struct Field: Hashable, Sendable {
    /// The field's name.
    public var name: String
    /// The type of its values as the wire names it, such as `STRING_LIST`; it may be one that the
    /// server does not know.
    public var type: String
    /// Whether the values are kept encrypted.
    public var isEncrypted: Bool

    /// Describes a field.
    public init(_ name: String, type: String, isEncrypted: Bool = false) {
      self.name = name
      self.type = type
      self.isEncrypted = isEncrypted
    }
  }

  /// The types.
  public var types: [RecordType]

  /// Makes a request.
  public init(types: [RecordType]) { self.types = types }
}

/// What an environment lacks of what was asked for: the answer to `schema/check`.
public struct SchemaCheckResponse: Hashable, Sendable {
  /// A type that is not there, or a field that is not there or is another one.
  public struct Lack: Hashable, Sendable {
    /// The record type.
    public var recordType: String
    /// The field; nil where the type itself is not there.
    public var field: String?
    /// What the field is instead, such as `INT64` or `ENCRYPTED_STRING_LIST`; nil where it is not there.
    public var has: String?
    /// The same in words.
    public var reason: String

    /// Describes what is lacking.
    public init(recordType: String, field: String? = nil, has: String? = nil, reason: String) {
      self.recordType = recordType
      self.field = field
      self.has = has
      self.reason = reason
    }
  }

  /// The version of the schema: as long as it is the same, so is this answer.
  public var version: Int64
  /// What is lacking, in the order of the request; empty where everything is there.
  public var lacks: [Lack]

  /// Makes an answer.
  public init(version: Int64, lacks: [Lack]) {
    self.version = version
    self.lacks = lacks
  }
}

/// What a word says of the type of a field's values: `STRING_LIST`, `ENCRYPTED_BYTES`.
public struct FieldTypeWord: Hashable, Sendable {
  /// What the values are, or what their elements are.
  public let type: RecordSchema.FieldType
  /// Whether they are lists.
  public let isList: Bool
  /// Whether the word itself says that they are encrypted.
  public let isEncrypted: Bool

  /// Reads a word; nil for one that the wire does not have.
  public init?(_ word: String) {
    guard let row = WireType.rows.first(where: { $0.text == word }) else { return nil }
    type = row.type
    isList = row.isList
    isEncrypted = row.isEncrypted
  }
}
