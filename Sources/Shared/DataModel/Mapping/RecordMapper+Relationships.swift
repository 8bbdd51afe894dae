extension RecordMapper {
  mutating func map(_ relationship: Schema.Relationship, of owner: String) -> MappedProperty? {
    let end = MappedEdge.End(entity: owner, relationship: relationship.name)
    let inverse = schema.inverse(of: relationship)
    if !relationship.isToMany { return map(toOne: relationship, at: end, inverse: inverse) }
    switch (inverse, profile) {
    case (let inverse?, _) where !inverse.end.isToMany: return .children(inverse: inverse.end.name)
    case (nil, .coreData):
      leaveOut(end.element)
      return nil
    case (_, .native): return mapToOwnEdges(relationship, at: end, inverse: inverse)
    case (let inverse?, .coreData): return mapToSharedEdges(at: end, inverse: inverse)
    }
  }

  /// A to-one is a field whatever stands at its other end, so also at both ends of a one-to-one: an
  /// end that later becomes a to-many then leaves the other where it is.
  private mutating func map(
    toOne relationship: Schema.Relationship, at end: MappedEdge.End,
    inverse: (entity: Schema.Entity, end: Schema.Relationship)?
  ) -> MappedProperty {
    let field = MappedNames.field(of: relationship.name, profile)
    claim(.created(field, .string), for: Claim(property: end.element))
    guard profile == .native, let inverse, inverse.end.isToMany, inverse.end.isOrdered else {
      return .toOne(field: field, order: nil)
    }
    let order = MappedNames.order(of: field)
    let holder = SchemaElement.relationship(entity: inverse.entity.name, name: inverse.end.name)
    claim(.created(order, .int64), for: Claim(property: holder))
    return .toOne(field: field, order: order)
  }

  private mutating func mapToOwnEdges(
    _ relationship: Schema.Relationship, at end: MappedEdge.End,
    inverse: (entity: Schema.Entity, end: Schema.Relationship)?
  ) -> MappedProperty {
    let other = inverse.map { MappedEdge.End(entity: $0.entity.name, relationship: $0.end.name) }
    let isSource = other.map { !$0.precedes(end) } ?? true
    let (sourceOrder, targetOrder) =
      isSource
      ? (relationship.isOrdered, inverse?.end.isOrdered == true)
      : (inverse?.end.isOrdered == true, relationship.isOrdered)
    let source = isSource ? end : (other ?? end)
    let edge = MappedEdge(
      recordType: MappedNames.edgeType(of: source), source: source,
      target: isSource ? other : end,
      layout: .own(
        source: "source", target: "target", sourceOrder: sourceOrder ? "source_order" : nil,
        targetOrder: targetOrder ? "target_order" : nil),
      clocksField: MappedNames.clocks)
    if draft.claim(type: edge.recordType, for: source.element) { reserveFields(of: edge) }
    return .edges(edge, from: isSource ? .source : .target)
  }

  private mutating func mapToSharedEdges(
    at end: MappedEdge.End, inverse: (entity: Schema.Entity, end: Schema.Relationship)
  ) -> MappedProperty {
    let other = MappedEdge.End(entity: inverse.entity.name, relationship: inverse.end.name)
    // The mirroring orders the ends without regard to case.
    let isSource = end.sortKey <= other.sortKey
    let edge = MappedEdge(
      recordType: MappedNames.sharedEdgeType, source: isSource ? end : other,
      target: isSource ? other : end, layout: MappedNames.sharedEdge)
    draft.share(type: edge.recordType, for: edge.source.element)
    reserveFields(of: edge)
    return .edges(edge, from: isSource ? .source : .target)
  }

  private mutating func reserveFields(of edge: MappedEdge) {
    let names: [(name: String?, type: RecordSchema.FieldType)] =
      switch edge.layout {
      case .own(let source, let target, let sourceOrder, let targetOrder):
        [
          (source, .string), (target, .string), (sourceOrder, .int64), (targetOrder, .int64),
          (edge.clocksField, .bytes),
        ]
      case .shared(let entityNames, let recordNames, let relationships):
        [(entityNames, .string), (recordNames, .string), (relationships, .string)]
      }
    for case (let name?, let type) in names {
      draft.reserve(.created(name, type), in: edge.recordType)
    }
  }
}

extension MappedEdge.End {
  /// The relationship.
  fileprivate var element: SchemaElement { .relationship(entity: entity, name: relationship) }

  fileprivate func precedes(_ other: MappedEdge.End) -> Bool {
    entity == other.entity
      ? relationship.precedesInBytes(other.relationship) : entity.precedesInBytes(other.entity)
  }

  fileprivate var sortKey: (String, String, String, String) {
    (entity.lowercased(), relationship.lowercased(), entity, relationship)
  }
}
