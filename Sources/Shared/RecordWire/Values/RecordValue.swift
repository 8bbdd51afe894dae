public import DataModel

/// The value of one field of a record, as the wire has it.
///
/// `FieldValue` of DataModel is what programs hold; this is what travels: times are whole
/// milliseconds, and there are references, places and assets.
public enum RecordValue: Hashable, Sendable {
  /// No value; in a save it clears the field.
  case null
  /// Text.
  case string(String)
  /// A 64-bit integer.
  case int64(Int64)
  /// A floating-point number, which is finite.
  case double(Double)
  /// Milliseconds since 1970.
  case timestamp(Int64)
  /// Bytes within the record.
  case bytes([UInt8])
  /// The name of another record.
  indirect case reference(RecordReference)
  /// A place on earth.
  indirect case location(RecordLocation)
  /// A file.
  indirect case asset(RecordAsset)
  /// Values of one type, in order; none of them is null, untyped or a list.
  indirect case list([RecordValue], of: RecordSchema.FieldType)
  /// A value that came without its type: the schema says what it is.
  indirect case untyped(UntypedValue)
  /// A value of a type that this version does not know, as the JSON that came.
  ///
  /// Only what a server answers may have such values; in a request they are refused.
  indirect case unknown(type: String, json: [UInt8])
}

extension RecordValue {
  /// The value's type, or that of its elements; nil where the value does not tell.
  public var type: RecordSchema.FieldType? {
    switch self {
    case .null, .untyped, .unknown: nil
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .timestamp: .timestamp
    case .bytes: .bytes
    case .reference: .reference
    case .location: .location
    case .asset: .asset
    case .list(_, let type): type
    }
  }

  /// Whether this is a list with a type.
  public var isList: Bool {
    if case .list = self { true } else { false }
  }

  /// About how many bytes the value takes in a record, by which its size is limited.
  ///
  /// Assets count with their dictionary only, for their bytes are elsewhere.
  public var byteCount: Int {
    switch self {
    case .null: 0
    case .string(let text): text.utf8.count
    case .int64, .double, .timestamp: 8
    case .bytes(let bytes): bytes.count
    case .reference(let reference): reference.recordName.utf8.count
    case .location: RecordLocation.byteCount
    case .asset: RecordAsset.byteCount
    case .list(let elements, _): elements.reduce(0) { $0 + $1.byteCount }
    case .untyped(let value): value.byteCount
    case .unknown(_, let json): json.count
    }
  }
}

/// A field's value, and whether it is kept encrypted.
public struct RecordField: Hashable, Sendable {
  /// The value.
  public var value: RecordValue
  /// Whether it is kept encrypted.
  public var isEncrypted: Bool

  /// Makes a field of `value`.
  public init(_ value: RecordValue, isEncrypted: Bool = false) {
    self.value = value
    self.isEncrypted = isEncrypted
  }
}

/// The name of another record, and what becomes of this one when that is deleted.
public struct RecordReference: Hashable, Sendable {
  /// What becomes of the record that points when the other is deleted.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none = "NONE"
    /// It is deleted too.
    case deleteSelf = "DELETE_SELF"
    /// The other must be there, and cannot be deleted while this one points at it.
    case validate = "VALIDATE"
  }

  /// The name of the other record.
  public var recordName: String
  /// Its zone; nil means that of the record which points.
  public var zone: ZoneIdentity?
  /// What a deletion does; nil in queries only.
  public var action: Action?

  /// Points at a record.
  public init(recordName: String, zone: ZoneIdentity? = nil, action: Action? = nil) {
    self.recordName = recordName
    self.zone = zone
    self.action = action
  }
}

/// A place on earth, and how it was measured.
public struct RecordLocation: Hashable, Sendable {
  /// How many bytes of a record a place counts for: eight numbers.
  static let byteCount = 64

  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double
  /// Metres above the sea.
  public var altitude: Double?
  /// How far off the place may be, in metres.
  public var horizontalAccuracy: Double?
  /// How far off the altitude may be, in metres.
  public var verticalAccuracy: Double?
  /// Metres a second.
  public var speed: Double?
  /// Degrees from north.
  public var course: Double?
  /// When it was measured, in milliseconds since 1970.
  public var timestamp: Int64?

  /// Makes a place of two numbers; the others may be set afterwards.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A file: what an upload answered, or where to fetch it from.
public struct RecordAsset: Hashable, Sendable {
  /// How many bytes of a record the dictionary of an asset counts for.
  static let byteCount = 256

  /// What tells the file's content from another's.
  public var fileChecksum: String?
  /// The file's length in bytes.
  public var size: Int64?
  /// The proof of an upload, which a save needs.
  public var receipt: String?
  /// The key that the file's key is wrapped with.
  public var wrappingKey: String?
  /// The checksum of the reference.
  public var referenceChecksum: String?
  /// Where to fetch the file from; only in what a server answers.
  public var downloadURL: String?

  /// Makes the dictionary of a file.
  public init(
    fileChecksum: String? = nil, size: Int64? = nil, receipt: String? = nil,
    wrappingKey: String? = nil, referenceChecksum: String? = nil, downloadURL: String? = nil
  ) {
    self.fileChecksum = fileChecksum
    self.size = size
    self.receipt = receipt
    self.wrappingKey = wrappingKey
    self.referenceChecksum = referenceChecksum
    self.downloadURL = downloadURL
  }
}
