public import DataModel
public import PredicateSQL

/// How the objects of one schema lie in one store: the schema and the store's catalogue together.
public final class StoreLayout: Sendable {
  /// The schema.
  public let schema: Schema
  /// Numbers and names of tables and columns.
  package let catalogue: Catalogue
  /// The entities in the schema's order.
  public let entities: [EntityLayout]
  /// What SQL needs to know, and is true whatever texts there are; `Store.currentSQLModel()` knows more.
  public let sqlModel: SQLModel
  /// The tables of pairs, each once, seen from the end that it is named after.
  package let pairTables: [PairTable]
  /// For each entity the tables that have pairs of its objects.
  let pairEnds: [[PairEnd]]
  /// For each entity the references that its objects may be the targets of.
  let referrers: [[Referrer]]
  /// For each entity the slots with references whose other side holds one object too.
  let singleSlots: [[Int]]
  /// Whether objects are unique by what they refer to.
  let hasUniqueReferences: Bool
  private let positions: [String: Int]
  private let positionsByNumber: [Int: Int]

  /// Lays out `schema` by `catalogue`, which has to know every part of it.
  package init(_ schema: Schema, _ catalogue: Catalogue) {
    self.schema = schema
    self.catalogue = catalogue
    let positions = Dictionary(
      schema.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.positions = positions
    let builder = LayoutBuilder(schema, catalogue, positions)
    let all = schema.entities.indices.map(builder.entity)
    entities = all
    positionsByNumber = Dictionary(
      all.map { ($0.number, $0.index) }, uniquingKeysWith: { first, _ in first })
    pairTables = builder.pairTables()
    pairEnds = PairEnd.all(all)
    referrers = Referrer.all(all)
    singleSlots = EntityLayout.singleSlots(all)
    hasUniqueReferences = all.contains { !$0.uniqueReferences.isEmpty }
    sqlModel = Self.sqlModel(all, unnormalized: nil)
  }

  /// What SQL needs to know when only these properties have texts that are not in normalization form C.
  func sqlModel(unnormalized: Set<Int>) -> SQLModel {
    Self.sqlModel(entities, unnormalized: unnormalized)
  }

  private static func sqlModel(_ all: [EntityLayout], unnormalized: Set<Int>?) -> SQLModel {
    SQLModel(
      entities: Dictionary(
        all.map { ($0.name, sqlEntity($0, all, unnormalized)) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// The layout of the entity of that name.
  public func entity(_ name: String) -> EntityLayout? { positions[name].map { entities[$0] } }

  /// The layout of the entity with that number in the catalogue.
  public func entity(number: Int) -> EntityLayout? {
    positionsByNumber[number].map { entities[$0] }
  }

  private static func sqlEntity(
    _ entity: EntityLayout, _ all: [EntityLayout], _ unnormalized: Set<Int>?
  ) -> SQLEntity {
    var attributes: [String: SQLColumn] = [:]
    var relationships: [String: SQLRelationship] = [:]
    for slot in entity.slots {
      if let attribute = slot.attribute, let column = slot.column {
        let isNormalized =
          slot.isComparedText && unnormalized.map { !$0.contains(slot.number) } ?? false
        var found = SQLColumn(
          column, type: attribute.type, isOptional: slot.isOptional, isNormalized: isNormalized,
          isExternal: attribute.options.contains(.externalStorage))
        found.mayBeNaN =
          !slot.isComparedNumber || unnormalized.map { $0.contains(slot.number) } ?? true
        attributes[slot.name] = found
      } else if let relationship = slot.relationship {
        relationships[slot.name] = SQLRelationship(
          destination: all[relationship.destination].name,
          isToMany: relationship.schema.isToMany, place: relationship.place.forQueries)
      }
    }
    return SQLEntity(
      name: entity.name, table: entity.table,
      numbers: entity.sharesTable && entity.root != entity.index
        ? entity.family.map { all[$0].number } : nil,
      attributes: attributes, relationships: relationships)
  }
}

extension SQLRelationshipPlace {
  /// The place as queries speak of it.
  var forQueries: SQLRelationship.Place {
    switch self {
    case .ownColumn(let column, _): .column(column)
    case .farColumn(_, let column, let order): .farColumn(column, order: order)
    case .pairs(let pairs):
      .table(pairs.table, near: pairs.near, far: pairs.far, order: pairs.order)
    }
  }
}
