import DataModel
import FoundationEssentials
import SchemaGenerator
import SQLiteDriver

@testable import ObjectStore

extension Schema {
  /// The schema without what no store keeps: parents that lead back, names that are there twice.
  func storable() -> Schema {
    var copy = self
    let noValues: Set<AttributeType> = [.undefined, .objectID]
    func plain(_ attribute: Attribute, members: Bool) -> Attribute {
      var copy = attribute
      // Random expressions are none that can be computed.
      copy.derivation = nil
      if noValues.contains(copy.type) || (members && copy.type == .composite) {
        copy.type = .string
      }
      return copy
    }
    copy.composites = composites.map { composite in
      Composite(
        name: composite.name, attributes: composite.attributes.map { plain($0, members: true) })
    }
    copy.entities = entities.map { entity in
      var entity = entity
      entity.attributes = entity.attributes.map { plain($0, members: false) }
      return entity
    }
    for entity in copy.entities {
      let chain = copy.ancestors(of: entity)
      let leadsBack = chain.last?.parent != nil || entity.parent == entity.name
      guard leadsBack || (entity.parent != nil && chain.isEmpty) else { continue }
      copy.entities = copy.entities.map {
        var other = $0
        if other.name == entity.name { other.parent = nil }
        return other
      }
    }
    for entity in copy.entities.sorted(by: {
      (copy.ancestors(of: $0).count, $0.name) < (copy.ancestors(of: $1).count, $1.name)
    }) {
      var taken = Set(
        copy.ancestors(of: entity).flatMap {
          $0.attributes.map(\.name) + $0.relationships.map(\.name)
        })
      var other = entity
      other.attributes = other.attributes.filter { taken.insert($0.name).inserted }
      other.relationships = other.relationships.filter { taken.insert($0.name).inserted }
      copy.entities = copy.entities.map { $0.name == other.name ? other : $0 }
    }
    // An inverse that names another relationship as its own is none.
    let all = copy
    copy.entities = copy.entities.map { entity in
      var entity = entity
      entity.relationships = entity.relationships.map { relationship in
        var relationship = relationship
        let back = all.inverse(of: relationship).flatMap { all.inverse(of: $0.end) }
        if back?.entity.name != entity.name || back?.end.name != relationship.name {
          relationship.inverse = nil
        }
        return relationship
      }
      return entity
    }
    return copy.uniqueByColumns
  }

  /// Without the constraints that name what has no column, which no store accepts.
  private var uniqueByColumns: Schema {
    let layout = StoreLayout(self, Catalogue().extended(for: self))
    var copy = self
    copy.entities = entities.map { entity in
      var entity = entity
      let slots = layout.entity(entity.name)?.slots ?? []
      entity.uniquenessConstraints.removeAll { names in
        names.contains { if case .noColumn = UniqueProperty($0, slots) { true } else { false } }
      }
      return entity
    }
    return copy
  }

  /// Another version of this schema, some random edits away.
  func edited(using generator: inout SeededGenerator) -> Schema {
    var copy = self
    for _ in 0...generator.below(5) { copy.editOnce(using: &generator) }
    return copy.storable()
  }

  private mutating func editOnce(using generator: inout SeededGenerator) {
    guard !entities.isEmpty else { return }
    var list = entities
    let place = generator.below(list.count)
    var entity = list[place]
    let others = list.map(\.name).filter { $0 != entity.name }
    switch generator.below(16) {
    case 0:
      let old = entity.name
      entity.renamingIdentifier = entity.canonicalName
      entity.name += "R"
      rewriteReferences(in: &list, from: old, to: entity.name)
      if entity.parent == old { entity.parent = entity.name }
      for index in entity.relationships.indices {
        if entity.relationships[index].destination == old {
          entity.relationships[index].destination = entity.name
        }
        if entity.relationships[index].inverseEntity == old {
          entity.relationships[index].inverseEntity = entity.name
        }
      }
    case 1: entity.parent = generator.oneIn(2) ? nil : generator.pick(others, or: "None")
    case 2: entity.isAbstract.toggle()
    case 3, 4:
      entity.attributes.append(
        Attribute(
          name: "added\(generator.below(50))",
          type: generator.pick([.string, .integer64, .double, .date, .uuid], or: .string),
          isOptional: generator.oneIn(2)))
      let last = entity.attributes.count - 1
      if entity.attributes[last].name.hasPrefix("added"), generator.oneIn(2) {
        entity.attributes[last].defaultValue = .random(
          like: entity.attributes[last].type.valueKind, using: &generator)
      }
    case 5:
      if !entity.attributes.isEmpty {
        entity.attributes.remove(at: generator.below(entity.attributes.count))
      }
    case 6:
      entity.attributes = entity.attributes.map { attribute in
        guard generator.oneIn(2) else { return attribute }
        var copy = attribute
        copy.renamingIdentifier = attribute.canonicalName
        copy.name += "R"
        return copy
      }
    case 7:
      entity.attributes = entity.attributes.map { attribute in
        var copy = attribute
        if attribute.type == .integer16 { copy.type = .integer64 }
        if attribute.type == .integer32 { copy.type = .double }
        if attribute.type == .integer64 { copy.type = .decimal }
        if attribute.type == .float { copy.type = .double }
        return copy
      }
    case 8:
      entity.attributes = entity.attributes.map { attribute in
        var copy = attribute
        copy.isOptional = generator.oneIn(2)
        return copy
      }
    case 9:
      if !entity.relationships.isEmpty {
        entity.relationships.remove(at: generator.below(entity.relationships.count))
      }
    case 10:
      entity.relationships = entity.relationships.map { relationship in
        var copy = relationship
        copy.isToMany = generator.oneIn(2)
        copy.isOrdered = copy.isToMany && generator.oneIn(2)
        copy.maximumCount = copy.isToMany ? 0 : 1
        return copy
      }
    case 11:
      entity.relationships.append(
        Relationship(
          name: "link\(generator.below(20))", destination: generator.pick(others, or: entity.name),
          isToMany: generator.oneIn(2), isOrdered: generator.oneIn(3)))
    case 12:
      list.append(
        Entity(
          name: "New\(generator.below(9))", parent: generator.oneIn(2) ? entity.name : nil,
          attributes: [
            Attribute(name: "fresh\(generator.below(99))", type: .string, isOptional: true)
          ]
        ))
    case 13:
      if let parent = entity.parent, let up = list.firstIndex(where: { $0.name == parent }),
        !entity.attributes.isEmpty
      {
        let moved = entity.attributes.remove(at: generator.below(entity.attributes.count))
        list[up].attributes.append(moved)
      }
    case 14:
      let children = list.indices.filter { list[$0].parent == entity.name }
      if !children.isEmpty, !entity.attributes.isEmpty {
        let moved = entity.attributes.remove(at: generator.below(entity.attributes.count))
        for child in children { list[child].attributes.append(moved) }
      }
    default:
      entity.relationships = entity.relationships.map { relationship in
        var copy = relationship
        copy.inverse = nil
        if let far = list.firstIndex(where: { $0.name == relationship.destination }),
          let end = list[far].relationships.first(where: { $0.destination == entity.name }),
          generator.oneIn(2), far != place
        {
          copy.inverse = end.name
          list[far].relationships = list[far].relationships.map {
            var other = $0
            if other.name == end.name { other.inverse = relationship.name }
            return other
          }
        }
        return copy
      }
    }
    list[place] = entity
    var seen: Set<String> = []
    entities = list.filter { seen.insert($0.name).inserted }
  }

  private func rewriteReferences(in list: inout [Entity], from old: String, to new: String) {
    for index in list.indices {
      if list[index].parent == old { list[index].parent = new }
      list[index].relationships = list[index].relationships.map { relationship in
        var copy = relationship
        if copy.destination == old { copy.destination = new }
        if copy.inverseEntity == old { copy.inverseEntity = new }
        return copy
      }
    }
  }
}

extension Store {
  /// Puts `count` objects of each entity into the store, with random values and links, past all checks
  /// but those of relationships themselves.
  func fillRandomly(_ count: Int, using generator: inout SeededGenerator) throws {
    var keys: [Int: [Int64]] = [:]
    try write { transaction in
      for entity in layout.entities where !entity.schema.isAbstract {
        keys[entity.index] = try (0..<count).map { _ in try transaction.newKey(entity) }
      }
      for entity in layout.entities {
        for key in keys[entity.index] ?? [] {
          let row = Row(entity)
          defer { row.free(entity) }
          for (index, slot) in entity.slots.enumerated() {
            fill(row, index, slot, entity, keys, &generator)
          }
          try transaction.insert(entity, key: key, row: row)
        }
      }
      for pairs in layout.pairTables { try fill(pairs, keys, transaction, &generator) }
    }
  }

  private func fill(
    _ row: Row, _ index: Int, _ slot: Slot, _ entity: EntityLayout, _ keys: [Int: [Int64]],
    _ generator: inout SeededGenerator
  ) {
    if slot.column == nil || slot.isOrder { return }
    if slot.isOptional && generator.oneIn(3) { return }
    switch slot.kind {
    case .reference:
      guard let relationship = slot.relationship else { return }
      let targets = layout.entities[relationship.destination].family.flatMap { keys[$0] ?? [] }
      // One-to-one: only the object with the same place gets it, so that no two share one.
      let isOne = layout.schema.inverse(of: relationship.schema)?.end.isToMany == false
      if isOne { return }
      guard let key = targets.isEmpty ? nil : generator.pick(targets, or: 1) else { return }
      row.set(index, ReferenceSlot(key: key, object: nil), entity)
      if case .ownColumn(_, _?) = relationship.place,
        let order = entity.slot(slot.name + Slot.orderSuffix)
      {
        row.set(order, Int64(generator.below(1_000_000)), entity)
      }
    case .integer: row.set(index, Int64(generator.below(2)), entity)
    case .double, .date: row.set(index, Double(generator.below(100_000)) / 4, entity)
    case .text: row.set(index, RandomNames.text(&generator), entity)
    case .decimal: row.set(index, String(generator.below(1000)), entity)
    case .uuid:
      row.set(
        index,
        UUID(
          version7At: Date(timeIntervalSince1970: 0), random: (generator.next(), generator.next())),
        entity)
    case .bytes:
      row.set(index, BytesSlot(bytes: [UInt8(generator.below(256))], file: nil), entity)
    case .related: return
    }
  }

  private func fill(
    _ pairs: PairTable, _ keys: [Int: [Int64]], _ transaction: WriteTransaction,
    _ generator: inout SeededGenerator
  ) throws {
    for entity in layout.entities {
      for slot in entity.slots {
        guard let relationship = slot.relationship, relationship.owner == entity.name,
          case .pairs(let found) = relationship.place, found == pairs
        else { continue }
        let near = entity.family.flatMap { keys[$0] ?? [] }
        let far = layout.entities[relationship.destination].family.flatMap { keys[$0] ?? [] }
        for key in near {
          for other in far where generator.oneIn(3) {
            for (a, b) in pairs.isMirrored ? [(key, other), (other, key)] : [(key, other)] {
              try transaction.connection.execute(
                """
                INSERT OR IGNORE INTO \(quoted(pairs.table)) VALUES (\(a), \(b), \
                \(generator.below(1000)), \(generator.below(1000)))
                """)
            }
          }
        }
        return
      }
    }
  }
}
