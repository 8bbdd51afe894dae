import DataModel

/// One end of a table of pairs, as seen from an entity whose objects stand in it: what has to be tidied
/// when one of them is deleted, whatever the delete rules say.
struct PairEnd: Hashable, Sendable {
  var table: String
  /// The column with the keys of the entity's objects.
  var near: String
  /// The column with the keys of the objects at the other end.
  var far: String
  /// The position in the layout of the entity at the other end.
  var farEntity: Int
  /// The number of the relationship that the other end has; 0 where it has none.
  var farNumber: Int

  /// The ends of each entity, in the order of `entities`.
  static func all(_ entities: [EntityLayout]) -> [[PairEnd]] {
    var ends = [[PairEnd]](repeating: [], count: entities.count)
    func add(_ end: PairEnd, to entity: Int) {
      if !ends[entity].contains(end) { ends[entity].append(end) }
    }
    for entity in entities {
      for slot in entity.slots {
        guard let relationship = slot.relationship, case .pairs(let pairs) = relationship.place
        else { continue }
        let destination = entities[relationship.destination]
        let inverse = relationship.inverse.flatMap(destination.slot).map { destination.slots[$0] }
        add(
          PairEnd(
            table: pairs.table, near: pairs.near, far: pairs.far,
            farEntity: relationship.destination, farNumber: inverse?.number ?? 0),
          to: entity.index)
        guard inverse == nil || pairs.isMirrored, entity.name == relationship.owner else {
          continue
        }
        for member in destination.family {
          add(
            PairEnd(
              table: pairs.table, near: pairs.far, far: pairs.near, farEntity: entity.index,
              farNumber: slot.number), to: member)
        }
      }
    }
    return ends
  }
}
