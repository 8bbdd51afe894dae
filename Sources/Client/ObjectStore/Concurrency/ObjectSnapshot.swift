public import DataModel

/// What an object was like at one moment: a value that may go anywhere.
public struct ObjectSnapshot: Sendable, Hashable {
  /// The object's entity.
  public var entity: String
  /// The object's identity; nil while it has never been saved.
  public var identity: ObjectIdentity?
  /// How often the object was written when it was read.
  public var version: Int64
  /// Attributes by name.
  public var values: [String: FieldValue]
  /// Related objects by the relationship's name, in their order; those never saved are left out.
  public var related: [String: [ObjectIdentity]]
}

extension ManagedObject {
  /// A copy of the object's values, changes included; `relationships` is false where related objects are
  /// not wanted, which saves reading them.
  public func snapshot(relationships: Bool = true) -> ObjectSnapshot {
    var snapshot = ObjectSnapshot(
      entity: entity, identity: identity, version: 0, values: [:], related: [:])
    for slot in layout.slots.indices {
      let name = layout.slots[slot].name
      if layout.slots[slot].attribute != nil {
        snapshot.values[name] = (try? value(name)) ?? .null
      } else if let relationship = layout.slots[slot].relationship, relationships {
        let objects =
          relationship.schema.isToMany
          ? relatedObjects(slot) : relatedObject(slot).map { [$0] } ?? []
        snapshot.related[name] = objects.compactMap(\.identity)
      }
    }
    snapshot.version = version
    return snapshot
  }
}
