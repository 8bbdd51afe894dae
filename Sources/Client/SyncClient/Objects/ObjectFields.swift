public import RecordWire

/// What an object is on the wire.
public struct ObjectFields: Hashable, Sendable {
  /// How often the object was written, as the store counts.
  public var version: Int64
  /// The values, canonical; what has none is absent.
  public var fields = RecordFields()
  /// Values that are sent as files.
  public var files: [FileField] = []
  /// Values that the wire cannot hold; their fields are absent.
  public var unrepresentable: [UnrepresentableField] = []
  /// References to objects that have no record, or are gone; their fields are absent.
  public var unnamed: [UnnamedTarget] = []

  /// Describes an object.
  public init(version: Int64, fields: RecordFields = RecordFields()) {
    self.version = version
    self.fields = fields
  }
}

/// A value that is sent as a file: the caller uploads it and puts the answer into the field.
public struct FileField: Hashable, Sendable {
  /// The field of type ASSET.
  public var field: String
  /// The field for small values, which is empty then; nil where there is none.
  public var plainField: String?
  /// The name of the file beside the store that has the bytes, which never change under that name; nil
  /// where they are in the object's row.
  public var storedName: String?
  /// How many bytes there are; nil for those beside the store.
  public var byteCount: Int?
}

/// A value that the wire cannot hold, such as a number that is not finite.
public struct UnrepresentableField: Hashable, Sendable {
  /// The field.
  public var field: String
  /// The attribute.
  public var property: String
  /// Why, as half a sentence about the value.
  public var reason: Reason

  /// Why the wire cannot hold a value.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// JSON has no NaN and no infinity.
    case notFinite = "is not a finite number"
    /// A time is not a number, or too far away for 64 bits of milliseconds.
    case timeOutOfRange = "is a time beyond 64 bits of milliseconds"
    /// A decimal is not a number, or damaged.
    case notDecimal = "is no decimal number"
    /// A UUID has not 16 bytes; only another program can have written it.
    case notUUID = "is no UUID"
    /// The file beside the store is not there; only another program can have removed it.
    case fileGone = "is in a file that is gone"
  }
}

extension UnrepresentableField: CustomStringConvertible {
  /// The attribute and why.
  public var description: String { "\(property): \(reason.rawValue), so \(field) is not sent" }
}

/// A reference to an object that has no record.
public struct UnnamedTarget: Hashable, Sendable {
  /// The field of the to-one relationship.
  public var field: String
  /// The object.
  public var object: ObjectKey
}
