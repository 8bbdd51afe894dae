public import DataModel
public import FoundationEssentials

/// Where a schema's objects are in a database: what SQL needs to know to speak of them.
public struct SQLModel: Hashable, Sendable {
  /// The entities by name, abstract ones included.
  public var entities: [String: SQLEntity]
  /// The store that the tables belong to: objects of another are equal to none here.
  ///
  /// Nil where identities of other stores are not met.
  public var store: UUID?

  /// Takes the entities by name.
  public init(entities: [String: SQLEntity], store: UUID? = nil) {
    self.entities = entities
    self.store = store
  }
}

/// Where the objects of one entity are.
///
/// Every table has the columns `_id`, an object's key, and `_version`; a table that several entities
/// share has `_entity` too, the number of each row's concrete entity.
public struct SQLEntity: Hashable, Sendable {
  /// The entity's name.
  public var name: String
  /// The table that holds its objects; entities with one root share one.
  public var table: String
  /// The numbers in `_entity` of this entity and its descendants; nil where the whole table is meant.
  public var numbers: [Int]?
  /// Attributes by name, inherited ones included; a composite's members by their paths, "place.street".
  public var attributes: [String: SQLColumn]
  /// Relationships by name, inherited ones included.
  public var relationships: [String: SQLRelationship]

  /// Takes an entity's table and the places of its properties.
  public init(
    name: String, table: String, numbers: [Int]? = nil, attributes: [String: SQLColumn] = [:],
    relationships: [String: SQLRelationship] = [:]
  ) {
    self.name = name
    self.table = table
    self.numbers = numbers
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// The column that holds an attribute.
///
/// How values lie in columns: integers and truth values as INTEGER; `double`, `float` and dates
/// (seconds since the reference date) as REAL, where a NaN is the 3-byte BLOB 'NaN', since SQLite
/// makes null of a NaN; text and URIs as TEXT; decimals as TEXT in canonical form (`Decimal.description`);
/// UUIDs as BLOB of 16 bytes; bytes as BLOB, except that an externally stored value is the TEXT name of
/// its file; object identities as TEXT.
public struct SQLColumn: Hashable, Sendable {
  /// The column's name, not yet quoted.
  public var name: String
  /// What its values are.
  public var type: Schema.AttributeType
  /// Whether it may hold null.
  public var isOptional: Bool
  /// Whether every text in it is known to be in Unicode normalization form C, so that comparing bytes
  /// compares as Swift does.
  public var isNormalized: Bool
  /// Whether values may lie in files: then only whether there is one can be asked of the column.
  public var isExternal: Bool
  /// Whether a number or a date in it may be a NaN, which has to be kept out of comparisons.
  public var mayBeNaN = true

  /// Names a column.
  public init(
    _ name: String, type: Schema.AttributeType, isOptional: Bool = false, isNormalized: Bool = true,
    isExternal: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isNormalized = isNormalized
    self.isExternal = isExternal
  }
}

/// Where a relationship is held.
public struct SQLRelationship: Hashable, Sendable {
  /// The entity of the related objects.
  public var destination: String
  /// Whether it may hold several objects.
  public var isToMany: Bool
  /// Where the keys are.
  public var place: Place

  /// Names a relationship's place.
  public init(destination: String, isToMany: Bool, place: Place) {
    self.destination = destination
    self.isToMany = isToMany
    self.place = place
  }

  /// Where the keys of a relationship are.
  public enum Place: Hashable, Sendable {
    /// In a column of the object's own row: the related object's key, or null.
    case column(String)
    /// In a column of the related objects' rows, with this object's key; `order` is the column with
    /// their places, where they have an order.
    case farColumn(String, order: String?)
    /// In a table with one row for each pair; `order` as above.
    case table(String, near: String, far: String, order: String?)
  }
}

/// Part of a statement, with the values of its parameters in the order of their question marks.
public struct SQLFragment: Hashable, Sendable {
  /// The text.
  public var sql: String
  /// The parameters' values; each is an integer, a double, a text, bytes or null.
  public var values: [FieldValue]

  /// Takes text and values.
  public init(_ sql: String, _ values: [FieldValue] = []) {
    self.sql = sql
    self.values = values
  }
}
