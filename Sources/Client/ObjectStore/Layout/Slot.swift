public import DataModel

/// One property of an entity: where its value is in a row in memory, and in which column.
public struct Slot: Sendable {
  /// The property's name; for a member of a composite attribute its path, "place.street".
  public let name: String
  /// How the value lies in memory.
  public let kind: SlotKind
  /// The property's number in the store's catalogue, which history uses; 0 where it is not stored.
  public let number: Int
  /// The column that holds it; nil where it is not stored, or not in the object's row.
  public let column: String?
  /// Its place in the list of columns that a row is read from and written to; nil without a column.
  public internal(set) var columnIndex: Int32?
  /// The attribute; nil for a relationship.
  public let attribute: Schema.Attribute?
  /// The relationship; nil for an attribute.
  public let relationship: RelationshipLayout?
  /// Whether it may be without a value.
  public let isOptional: Bool
  /// What a new object starts with.
  public let defaultValue: FieldValue

  /// The composite attribute that it is a part of; nil for what is whole.
  var composite: Substring? { name.firstIndex(of: ".").map { name[..<$0] } }

  /// Whether what is whole takes long to read out of what is stored, so that it is kept once it was read.
  var takesLong: Bool {
    kind == .decimal || kind == .bytes || kind == .text && attribute?.type == .uri
  }

  /// What follows a to-one relationship's name in the name of the hidden slot with its place in the
  /// inverse's order.
  public static let orderSuffix = "@order"
}

/// A relationship: what it leads to, and where its keys are.
public final class RelationshipLayout: Sendable {
  /// The relationship as the schema has it.
  public let schema: Schema.Relationship
  /// The entity that declares it.
  public let owner: String
  /// The position in the layout of the entity of the related objects.
  public let destination: Int
  /// The name of the relationship at the other end.
  public let inverse: String?
  /// Where the keys are.
  public let place: SQLRelationshipPlace
  /// The number of the relationship that owns the keys, in the catalogue: its own or its inverse's.
  public let ownerNumber: Int

  init(
    schema: Schema.Relationship, owner: String, destination: Int, inverse: String?,
    place: SQLRelationshipPlace, ownerNumber: Int
  ) {
    self.schema = schema
    self.owner = owner
    self.destination = destination
    self.inverse = inverse
    self.place = place
    self.ownerNumber = ownerNumber
  }
}

/// Where the keys of a relationship are, with the names of tables and columns.
public enum SQLRelationshipPlace: Hashable, Sendable {
  /// A column of the object's own row; `order` holds its place among the other side's objects.
  case ownColumn(String, order: String?)
  /// A column of the related objects' rows in `table`; `order` holds their places.
  case farColumn(table: String, column: String, order: String?)
  /// A table of pairs.
  case pairs(PairTable)
}

/// A table with one row for each pair of related objects, seen from one end.
public struct PairTable: Hashable, Sendable {
  /// The table's name.
  public var table: String
  /// The column with this end's key.
  public var near: String
  /// The column with the other end's key.
  public var far: String
  /// The column with the places of the other end's objects; nil where they have no order.
  public var order: String?
  /// Whether both ends are the same relationship, so that each pair has a row for either direction.
  public var isMirrored: Bool
}
