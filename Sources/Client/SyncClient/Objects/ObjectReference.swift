import ObjectStore
import SQLiteDriver

/// A to-one relationship that may lead to objects of some type, and that no field at the other end repeats.
struct ObjectReference {
  /// The objects that have it.
  let type: ObjectType
  let place: FieldPlace
  /// Whether an index leads from an object to those that refer to it.
  let isIndexed: Bool
}

extension ObjectRecords {
  /// The to-one relationships that may lead to objects of `type`, but for those between two that each have
  /// one of the other.
  func references(to type: ObjectType) -> [ObjectReference] {
    objectTypes.flatMap { holders in
      holders.places.compactMap { place in
        guard holders.opposites[place.name] == nil, case .toOne(let destination) = place.kind,
          layout.entities[destination].family.contains(type.layout.index)
        else { return nil }
        let relationship = holders.layout.slots[place.slot].relationship
        return ObjectReference(
          type: holders, place: place, isIndexed: relationship?.inverse != nil)
      }
    }
  }
}

extension ObjectReference {
  /// The keys of the objects whose reference leads to an object.
  func holders(of target: Int64, _ connection: Connection) throws(SQLiteError) -> [Int64] {
    guard let column = type.layout.slots[place.slot].column else { return [] }
    let condition = type.layout.sharesTable ? " AND _entity = \(type.number)" : ""
    let statement = try connection.statement(
      """
      SELECT _id FROM \(StoreLayout.sqlName(type.layout.table)) \
      WHERE \(StoreLayout.sqlName(column)) = ?1\(condition) ORDER BY _id
      """)
    defer { statement.reset() }
    statement.bind(1, target)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys
  }
}
