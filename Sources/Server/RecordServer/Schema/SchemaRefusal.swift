public import DataModel

/// Why a save or a change of the schema is refused: which part, what is wrong with it, and what to do.
public struct SchemaRefusal: Error, Hashable, Sendable {
  /// The kind of problem; a finding of the lint has its rule's name.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name, which never changes.
    public let rawValue: String

    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The kind of problem.
  public var code: Code
  /// The part of the schema that it is about.
  public var subject: SchemaElement
  /// What is wrong, in the protocol's words where it has some.
  public var message: String
  /// What to do.
  public var fix: String
  /// Where it stands, as `file:line:column`; nil where no file was read.
  public var place: String?

  /// Makes a refusal.
  public init(
    _ code: Code, _ subject: SchemaElement, _ message: String, fix: String, place: String? = nil
  ) {
    self.code = code
    self.subject = subject
    self.message = message
    self.fix = fix
    self.place = place
  }
}

extension SchemaRefusal: CustomStringConvertible {
  /// Place, message and code in one line.
  public var description: String {
    (place.map { "\($0): " } ?? "") + "\(message) [\(code.rawValue)]"
  }
}

extension SchemaRefusal.Code {
  /// A save names a type that production lacks.
  public static let unknownType = Self(rawValue: "unknown-type")
  /// A save names a field that production lacks.
  public static let unknownField = Self(rawValue: "unknown-field")
  /// A value has another type than its field.
  public static let wrongType = Self(rawValue: "wrong-type")
  /// An encrypted value is sent for a plain field, or for a type that cannot be encrypted.
  public static let notEncrypted = Self(rawValue: "not-encrypted")
  /// An encrypted value is sent to the public database.
  public static let encryptedInPublic = Self(rawValue: "encrypted-in-public")
  /// A save sets a field that the server keeps.
  public static let systemField = Self(rawValue: "system-field")
  /// A save would create something under a name that nothing may have.
  public static let badName = Self(rawValue: "bad-name")
  /// There would be more of something than a schema may hold.
  public static let tooMany = Self(rawValue: "too-many")
  /// What was promoted would be lost, or would have another type.
  public static let promoted = Self(rawValue: "promoted")
  /// A number has not settled on a kind, which in production it never could.
  public static let unsettledNumber = Self(rawValue: "unsettled-number")
  /// A rule was to be passed over that cannot be.
  public static let notAcceptable = Self(rawValue: "not-acceptable")
  /// A text is not in the schema language.
  public static let unreadable = Self(rawValue: "unreadable")
  /// A stored schema comes from a newer release.
  public static let newerFormat = Self(rawValue: "newer-format")
  /// A stored schema contradicts itself, or a change would lead to one that does.
  public static let inconsistent = Self(rawValue: "inconsistent")
}

extension String {
  /// The name, or its beginning where it is longer than any name may be.
  var shownName: String {
    utf8.count <= SchemaLimits.nameBytesMax ? self : prefix(SchemaLimits.shownNameMax) + "…"
  }
}
