extension Schema {
  /// What an attribute's values are.
  ///
  /// An open enumeration: a type that a newer file names is kept by its raw value, so that a lint
  /// can name it instead of refusing the file.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The type's name in Contrail's own files.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No type was chosen in the editor.
    public static let undefined = AttributeType(rawValue: "undefined")
    /// A 16-bit signed integer.
    public static let integer16 = AttributeType(rawValue: "integer16")
    /// A 32-bit signed integer.
    public static let integer32 = AttributeType(rawValue: "integer32")
    /// A 64-bit signed integer.
    public static let integer64 = AttributeType(rawValue: "integer64")
    /// An exact decimal number.
    public static let decimal = AttributeType(rawValue: "decimal")
    /// A double-precision number.
    public static let double = AttributeType(rawValue: "double")
    /// A single-precision number.
    public static let float = AttributeType(rawValue: "float")
    /// Text.
    public static let string = AttributeType(rawValue: "string")
    /// A truth value.
    public static let boolean = AttributeType(rawValue: "boolean")
    /// A point in time.
    public static let date = AttributeType(rawValue: "date")
    /// Bytes.
    public static let binaryData = AttributeType(rawValue: "binaryData")
    /// A universally unique identifier.
    public static let uuid = AttributeType(rawValue: "uuid")
    /// A uniform resource identifier.
    public static let uri = AttributeType(rawValue: "uri")
    /// A value that a named transformer turns into bytes and back.
    public static let transformable = AttributeType(rawValue: "transformable")
    /// The identity of an object in the same store; means nothing elsewhere.
    public static let objectID = AttributeType(rawValue: "objectID")
    /// Several attributes under one name.
    public static let composite = AttributeType(rawValue: "composite")

    /// Every type that this version knows.
    public static let known: [AttributeType] = [
      .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean,
      .date, .binaryData, .uuid, .uri, .transformable, .objectID, .composite,
    ]
  }
}

extension Schema.AttributeType: CustomStringConvertible {
  /// The type's name.
  public var description: String { rawValue }

  /// Whether values are whole numbers.
  public var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

  /// Whether values are numbers.
  public var isNumber: Bool { isInteger || self == .decimal || self == .double || self == .float }

  /// The kind of value that an attribute of this type holds; nil where any kind may stand, or none.
  public var valueKind: FieldValue.Kind? { Self.valueKinds[self] }

  private static let valueKinds: [Schema.AttributeType: FieldValue.Kind] = [
    .integer16: .integer, .integer32: .integer, .integer64: .integer, .decimal: .decimal,
    .double: .double, .float: .double, .string: .string, .boolean: .boolean, .date: .date,
    .binaryData: .data, .uuid: .uuid, .uri: .uri, .objectID: .objectID, .composite: .composite,
  ]
}
