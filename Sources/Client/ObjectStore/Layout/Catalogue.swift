package import DataModel

/// What a store calls its entities and properties: numbers that history refers to, and names of tables
/// and columns.
///
/// A number is given once and never again, so that history written before a migration still names the
/// right property after it. The catalogue is kept in the store.
package struct Catalogue: Hashable, Sendable {
  /// An entity that the store has, or once had.
  package struct Entity: Hashable, Sendable {
    package var number: Int
    package var name: String
    /// The table of its objects, or of those of its topmost ancestor.
    package var table: String
    package var isLive = true
  }

  /// A stored property that the store has, or once had.
  package struct Property: Hashable, Sendable {
    package var number: Int
    /// The number of the entity that declares it.
    package var entity: Int
    /// Its name; for a member of a composite attribute its path, "place.street".
    package var name: String
    /// The column that holds it, or the table of its pairs; empty where its inverse holds it.
    package var place: String
    /// The column with the places of an ordered relationship; empty where there is none.
    package var order: String
    package var isLive = true
  }

  package var entities: [Entity] = []
  package var properties: [Property] = []

  package init() {}
}

extension Catalogue {
  /// The live entity of that name.
  package func entity(_ name: String) -> Entity? { entities.first { $0.isLive && $0.name == name } }

  /// The live property of that name that the entity with that number declares.
  package func property(_ name: String, of entity: Int) -> Property? {
    properties.first { $0.isLive && $0.entity == entity && $0.name == name }
  }

  package var nextEntityNumber: Int { (entities.map(\.number).max() ?? 0) + 1 }
  package var nextPropertyNumber: Int { (properties.map(\.number).max() ?? 0) + 1 }
}

extension Catalogue {
  /// This catalogue with a number and a place for every part of `schema` that has none yet.
  package func extended(for schema: Schema) -> Catalogue {
    var result = self
    for entity in schema.entities where result.entity(entity.name) == nil {
      result.entities.append(
        Entity(number: result.nextEntityNumber, name: entity.name, table: ""))
    }
    var names = PlaceNames(result)
    for index in result.entities.indices where result.entities[index].isLive {
      guard let entity = schema.entity(result.entities[index].name) else { continue }
      let root = schema.root(of: entity).name
      guard let rootIndex = result.entities.firstIndex(where: { $0.isLive && $0.name == root })
      else { continue }
      if result.entities[rootIndex].table.isEmpty {
        result.entities[rootIndex].table = names.table(root)
      }
      if result.entities[index].table.isEmpty {
        result.entities[index].table = result.entities[rootIndex].table
      }
    }
    for entity in schema.entities {
      result.addProperties(of: entity, schema, &names)
    }
    return result
  }

  private mutating func addProperties(
    of entity: Schema.Entity, _ schema: Schema, _ names: inout PlaceNames
  ) {
    guard let owner = self.entity(entity.name) else { return }
    var next = nextPropertyNumber
    func add(_ name: String, _ place: String, _ order: String, _ list: inout [Property]) {
      list.append(
        Property(number: next, entity: owner.number, name: name, place: place, order: order))
      next += 1
    }
    for leaf in schema.leaves(of: entity.attributes)
    where leaf.isStored && property(leaf.path, of: owner.number) == nil {
      let column = names.column(leaf.path.replacing(".", with: "_"), in: owner.table)
      add(leaf.path, column, "", &properties)
    }
    for relationship in entity.relationships
    where !relationship.isTransient && property(relationship.name, of: owner.number) == nil {
      let place = schema.place(of: relationship, in: entity)
      switch place {
      case .ownColumn(let hasOrder):
        let column = names.column(relationship.name, in: owner.table)
        let order = hasOrder ? names.column(relationship.name + "_order", in: owner.table) : ""
        add(relationship.name, column, order, &properties)
      case .farColumn, .tableOfInverse:
        add(relationship.name, "", "", &properties)
      case .ownTable:
        let table = names.pairTable("\(entity.name)_\(relationship.name)")
        add(relationship.name, table, "", &properties)
      }
    }
  }
}

/// Names that are still free for tables and columns; SQLite does not tell upper from lower case.
private struct PlaceNames {
  private var tables: Set<String> = []
  private var columns: [String: Set<String>] = [:]

  init(_ catalogue: Catalogue) {
    var tableOfEntity: [Int: String] = [:]
    for entity in catalogue.entities {
      tableOfEntity[entity.number] = entity.table
      if !entity.table.isEmpty { tables.insert(entity.table.lowercased()) }
    }
    for property in catalogue.properties where !property.place.isEmpty {
      // A name may be a table's or a column's: it is taken as both.
      tables.insert(property.place.lowercased())
      tables.insert((property.place + PairTable.indexSuffix).lowercased())
      let table = tableOfEntity[property.entity] ?? ""
      for name in [property.place, property.order] where !name.isEmpty {
        columns[table.lowercased(), default: SystemColumn.names].insert(name.lowercased())
      }
    }
  }

  mutating func table(_ name: String) -> String {
    let lowered = name.lowercased()
    let isReserved = lowered.hasPrefix("sqlite_") || lowered.hasPrefix("contrail_")
    return Self.free(isReserved ? "entity_" + name : name, &tables)
  }

  /// A name for a table of pairs, and with it the name of its index.
  mutating func pairTable(_ name: String) -> String {
    var table = self.table(name)
    while !tables.insert((table + PairTable.indexSuffix).lowercased()).inserted {
      table = self.table(name)
    }
    return table
  }

  mutating func column(_ name: String, in table: String) -> String {
    Self.free(name, &columns[table.lowercased(), default: SystemColumn.names])
  }

  private static func free(_ wanted: String, _ taken: inout Set<String>) -> String {
    // SQLite ends a name at a NUL.
    let base = wanted.isEmpty ? "unnamed" : wanted.replacing("\0", with: "_")
    var name = base
    var suffix = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(base)_\(suffix)"
      suffix += 1
    }
    return name
  }
}

/// The columns that every table of objects has.
package enum SystemColumn {
  /// The object's key.
  package static let key = "_id"
  /// How often the object was written; the optimistic lock.
  package static let version = "_version"
  /// The number of the object's concrete entity, where entities share a table.
  package static let entity = "_entity"

  static let names: Set<String> = [key, version, entity, "rowid", "oid", "_rowid_"]
}
