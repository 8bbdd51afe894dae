/// What a record server knows of its records: types, fields, indexes, roles and grants.
///
/// This is the schema that a `.ckdb` file holds. Parts are kept in the order of the canonical export:
/// by the bytes of their names, grants by role.
public struct RecordSchema: Hashable, Sendable {
  /// Roles beside the three that every container has.
  public var roles: [String] { didSet { roles.sort { $0.precedesInBytes($1) } } }
  /// The record types.
  public var types: [RecordType] { didSet { types.sort { $0.name.precedesInBytes($1.name) } } }

  /// Makes a schema of `types`.
  public init(roles: [String] = [], types: [RecordType] = []) {
    self.roles = roles.sorted { $0.precedesInBytes($1) }
    self.types = types.sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The type of that name.
  public func type(_ name: String) -> RecordType? { types.named(name) }
}

extension RecordSchema {
  /// A kind of record.
  public struct RecordType: Hashable, Sendable {
    /// The type's name, unique in its schema.
    public var name: String
    /// Its fields, system fields included where the schema lists them.
    public var fields: [Field] { didSet { fields.sort { $0.name.precedesInBytes($1.name) } } }
    /// Who may do what with its records in the public database.
    public var grants: [Grant] { didSet { grants.sort { $0.sortKey < $1.sortKey } } }

    /// Makes a record type.
    public init(name: String, fields: [Field] = [], grants: [Grant] = []) {
      self.name = name
      self.fields = fields.sorted { $0.name.precedesInBytes($1.name) }
      self.grants = grants.sorted { $0.sortKey < $1.sortKey }
    }

    /// The field of that name.
    public func field(_ name: String) -> Field? { fields.named(name) }

    /// The grants to that role.
    public func grant(to role: String) -> Grant? { grants.first { $0.role == role } }
  }

  /// What a field's values are.
  public enum FieldType: String, Hashable, Sendable, CaseIterable {
    /// A file.
    case asset = "ASSET"
    /// Bytes within the record.
    case bytes = "BYTES"
    /// A double-precision number.
    case double = "DOUBLE"
    /// A 64-bit integer.
    case int64 = "INT64"
    /// A place on earth.
    case location = "LOCATION"
    /// The name of another record.
    case reference = "REFERENCE"
    /// Text.
    case string = "STRING"
    /// A point in time, in whole milliseconds.
    case timestamp = "TIMESTAMP"
    /// A number whose kind the server chose, or was told to prefer.
    case number = "NUMBER"
  }

  /// A field of a record type.
  public struct Field: Hashable, Sendable {
    /// The field's name, unique in its type.
    public var name: String
    /// What its values are.
    public var type: FieldType
    /// Whether it holds a list of such values.
    public var isList: Bool
    /// Whether the server sees only an encrypted form.
    public var isEncrypted: Bool
    /// What queries may ask of it.
    public var indexes: Indexes
    /// For a `number`, the kind that it settled on: `int64` or `double`.
    public var preferredNumber: FieldType?

    /// Makes a field of `type`.
    public init(
      name: String, type: FieldType, isList: Bool = false, isEncrypted: Bool = false,
      indexes: Indexes = [], preferredNumber: FieldType? = nil
    ) {
      self.name = name
      self.type = type
      self.isList = isList
      self.isEncrypted = isEncrypted
      self.indexes = indexes
      self.preferredNumber = preferredNumber
    }

    /// Whether the server keeps the field itself on every record.
    public var isSystem: Bool { name.hasPrefix("___") }
  }

  /// What queries may ask of a field.
  public struct Indexes: OptionSet, Hashable, Sendable {
    /// The indexes' bits.
    public let rawValue: UInt8

    /// Takes bits as they are.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Equality.
    public static let queryable = Indexes(rawValue: 1)
    /// Words of a text.
    public static let searchable = Indexes(rawValue: 2)
    /// Ranges and order.
    public static let sortable = Indexes(rawValue: 4)

    /// Every index with its word, in the order of the canonical export.
    public static let named: [(name: String, index: Indexes)] = [
      ("QUERYABLE", .queryable), ("SEARCHABLE", .searchable), ("SORTABLE", .sortable),
    ]
  }

  /// What a role may do with the records of one type.
  public struct Grant: Hashable, Sendable {
    /// The role.
    public var role: String
    /// What it may do.
    public var permissions: Permissions

    /// Lets `role` do `permissions`.
    public init(to role: String, _ permissions: Permissions) {
      self.role = role
      self.permissions = permissions
    }

    /// `_creator`, `_icloud`, `_world`, then custom roles by their bytes.
    fileprivate var sortKey: GrantSortKey {
      GrantSortKey(
        rank: RecordSchema.standardRoles.firstIndex(of: role) ?? RecordSchema.standardRoles.count,
        role: role)
    }
  }

  /// What a role may do.
  public struct Permissions: OptionSet, Hashable, Sendable {
    /// The permissions' bits.
    public let rawValue: UInt8

    /// Takes bits as they are.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Fetch and query.
    public static let read = Permissions(rawValue: 1)
    /// Create new records.
    public static let create = Permissions(rawValue: 2)
    /// Modify and delete.
    public static let write = Permissions(rawValue: 4)

    /// Every permission with its word, in the order of the canonical export.
    public static let named: [(name: String, permission: Permissions)] = [
      ("READ", .read), ("CREATE", .create), ("WRITE", .write),
    ]
  }

  /// The roles that every container has: a record's creator, who is signed in, and everyone.
  public static let standardRoles = ["_creator", "_icloud", "_world"]

  /// The fields that every record has, whether a schema lists them or not.
  public static let systemFields: [Field] = [
    Field(name: "___createTime", type: .timestamp), Field(name: "___createdBy", type: .reference),
    Field(name: "___etag", type: .string), Field(name: "___modTime", type: .timestamp),
    Field(name: "___modifiedBy", type: .reference), Field(name: "___recordID", type: .reference),
  ]
}

private struct GrantSortKey: Comparable {
  var rank: Int
  var role: String

  static func < (left: GrantSortKey, right: GrantSortKey) -> Bool {
    left.rank != right.rank ? left.rank < right.rank : left.role.precedesInBytes(right.role)
  }
}

extension String {
  /// The order of the canonical export: byte by byte, so that `CD_x` < `___createTime` < `lower`.
  package func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
