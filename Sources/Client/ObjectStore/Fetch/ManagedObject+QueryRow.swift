public import DataModel
import Foundation
public import PredicateSQL

// So that queries can be evaluated in memory, for changes that are not saved yet.
extension ManagedObject: QueryRow {
  /// The object's identity; a new object has one of its own kind until it is saved.
  public var queryIdentity: ObjectIdentity {
    context.map { ObjectIdentity($0.store.origins[layout.index], key: key) }
      ?? ObjectIdentity(store: UUID(uuid: Self.noStore), entity: layout.name, key: key)
  }

  static let noStore: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  /// Whether the object is of the entity of that name or of one that inherits from it.
  public func isOfEntity(_ name: String) -> Bool {
    _ = links()
    return isKind(of: name, in: context)
  }

  /// The property of that name, or the members of the composite attribute of that name.
  public func queryMember(_ name: String) throws(QueryProblem) -> QueryMember? {
    _ = links()
    guard let slot = layout.slot(name) else { return composite(name) }
    guard let relationship = layout.slots[slot].relationship else {
      return .value(attributeValue(slot))
    }
    return relationship.schema.isToMany
      ? .objects(relatedObjects(slot)) : .object(relatedObject(slot))
  }

  /// An attribute's value, read from its file if it is in one.
  func attributeValue(_ slot: Int) -> FieldValue {
    let row = values(slot)
    return layout.slots[slot].kind == .bytes && row.isPresent(slot)
      ? .data(bytes(slot)) : row.value(slot, layout)
  }

  private func composite(_ name: String) -> QueryMember? {
    let prefix = name + "."
    let members = layout.slots.indices.filter { layout.slots[$0].name.hasPrefix(prefix) }
    if members.isEmpty { return nil }
    return .value(
      Self.nested(
        members.map {
          (path: layout.slots[$0].name.dropFirst(prefix.count), value: attributeValue($0))
        }))
  }

  /// What lies in columns with the names "street", "geo.lat" and so on as a structure, and structures in
  /// it; nil for one whose members are all nil, since its columns tell no more.
  private static func nested(_ leaves: [(path: Substring, value: FieldValue)]) -> FieldValue {
    if leaves.allSatisfy({ $0.value == .null }) { return .null }
    let groups = Dictionary(grouping: leaves) { String($0.path.prefix { $0 != "." }) }
    var members: [String: FieldValue] = [:]
    for (name, leaves) in groups {
      let inner = leaves.filter { $0.path.count > name.count }.map {
        (path: $0.path.dropFirst(name.count + 1), value: $0.value)
      }
      members[name] = inner.isEmpty ? leaves.first?.value : nested(inner)
    }
    return .composite(members)
  }
}
