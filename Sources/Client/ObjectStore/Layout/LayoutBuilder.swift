import DataModel

/// Puts together the layouts of a schema's entities.
struct LayoutBuilder {
  let schema: Schema
  let catalogue: Catalogue
  let positions: [String: Int]

  init(_ schema: Schema, _ catalogue: Catalogue, _ positions: [String: Int]) {
    self.schema = schema
    self.catalogue = catalogue
    self.positions = positions
  }

  func entity(_ index: Int) -> EntityLayout {
    let entity = schema.entities[index]
    let chain = schema.ancestors(of: entity).reversed() + [entity]
    let root = chain.first ?? entity
    let descendants = schema.descendants(of: entity.name).compactMap { positions[$0.name] }
    let known = catalogue.entity(entity.name)
    return EntityLayout(
      schema: entity, index: index, number: known?.number ?? 0, root: positions[root.name] ?? index,
      family: [index] + descendants, table: known?.table ?? entity.name,
      sharesTable: entity.parent != nil || !descendants.isEmpty, slots: chain.flatMap(slots),
      uniqueness: chain.flatMap(\.uniquenessConstraints), levels: chain)
  }

  /// The slots of what `entity` itself declares.
  private func slots(of entity: Schema.Entity) -> [Slot] {
    let owner = catalogue.entity(entity.name)?.number ?? 0
    let attributes = schema.leaves(of: entity.attributes).map { leaf -> Slot in
      let property = leaf.isStored ? catalogue.property(leaf.path, of: owner) : nil
      return Slot(
        name: leaf.path, kind: SlotKind(leaf.attribute.type), number: property?.number ?? 0,
        column: property?.place, columnIndex: nil, attribute: leaf.attribute, relationship: nil,
        isOptional: leaf.isOptional, defaultValue: leaf.attribute.defaultValue ?? .null)
    }
    let relationships = entity.relationships.compactMap { slot(of: $0, in: entity, owner) }
    return attributes + relationships + relationships.compactMap(orderSlot)
  }

  /// The hidden slot with an object's place among the objects of an ordered inverse.
  private func orderSlot(of slot: Slot) -> Slot? {
    guard case .ownColumn(_, let order?)? = slot.relationship?.place, !order.isEmpty else {
      return nil
    }
    return Slot(
      name: slot.name + Slot.orderSuffix, kind: .integer, number: slot.number, column: order,
      columnIndex: nil, attribute: nil, relationship: nil, isOptional: true, defaultValue: .null)
  }

  private func slot(
    of relationship: Schema.Relationship, in entity: Schema.Entity, _ owner: Int
  ) -> Slot? {
    guard let destination = positions[relationship.destination] else { return nil }
    let inverse = schema.mutualInverse(of: relationship, in: entity)
    let property = catalogue.property(relationship.name, of: owner)
    let far = inverse.flatMap { inverse in
      catalogue.entity(inverse.entity.name).flatMap {
        catalogue.property(inverse.end.name, of: $0.number)
      }
    }
    let place = relationship.isTransient ? nil : schema.place(of: relationship, in: entity)
    let found: (place: SQLRelationshipPlace, column: String?, owner: Int)?
    switch place {
    case .ownColumn(let hasOrder):
      let column = property?.place ?? relationship.name
      found = (
        .ownColumn(column, order: hasOrder ? property?.order : nil), column, property?.number ?? 0
      )
    case .farColumn:
      let table = inverse.flatMap { catalogue.entity($0.entity.name)?.table } ?? ""
      let order = relationship.isOrdered ? far?.order : nil
      found = (
        .farColumn(table: table, column: far?.place ?? "", order: order), nil, far?.number ?? 0
      )
    case .ownTable:
      let isMirrored =
        inverse.map { $0.entity.name == entity.name && $0.end.name == relationship.name } ?? false
      let pairs = PairTable(
        table: property?.place ?? "", near: "source", far: "target",
        order: relationship.isOrdered ? "target_order" : nil, isMirrored: isMirrored)
      found = (.pairs(pairs), nil, property?.number ?? 0)
    case .tableOfInverse:
      let pairs = PairTable(
        table: far?.place ?? "", near: "target", far: "source",
        order: relationship.isOrdered ? "source_order" : nil, isMirrored: false)
      found = (.pairs(pairs), nil, far?.number ?? 0)
    case nil:
      return nil
    }
    guard let found else { return nil }
    let layout = RelationshipLayout(
      schema: relationship, owner: entity.name, destination: destination,
      inverse: inverse?.end.name, place: found.place, ownerNumber: found.owner)
    return Slot(
      name: relationship.name, kind: found.column == nil ? .related : .reference,
      number: property?.number ?? 0, column: found.column, columnIndex: nil, attribute: nil,
      relationship: layout, isOptional: relationship.isOptional, defaultValue: .null)
  }

  /// The tables of pairs, each seen from the end that it is named after.
  func pairTables() -> [PairTable] {
    schema.entities.flatMap { entity in
      let owner = catalogue.entity(entity.name)?.number ?? 0
      return entity.relationships.compactMap { relationship -> PairTable? in
        guard !relationship.isTransient,
          schema.place(of: relationship, in: entity) == .ownTable,
          let slot = slot(of: relationship, in: entity, owner),
          case .pairs(let pairs)? = slot.relationship?.place
        else { return nil }
        return pairs
      }
    }
  }
}
