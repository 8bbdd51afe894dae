/// Pairs of related objects that were made or undone since the last save, in the order in which they
/// were first touched.
struct PairChanges {
  /// Which pair of which table, named from the end that the table is named after.
  struct Key: Hashable {
    var owner: Int
    var source: Int64
    var target: Int64
  }

  /// One pair.
  struct Change {
    var table: String
    var source: ManagedObject
    var target: ManagedObject
    /// The slots of the relationship at either end; nil where it has no inverse.
    var sourceSlot: Int?
    var targetSlot: Int?
    var isMirrored: Bool
    var isAdded: Bool
  }

  private(set) var changes: [Change] = []
  private var places: [Key: Int] = [:]

  var isEmpty: Bool { changes.isEmpty }

  mutating func note(_ key: Key, _ change: Change) {
    if let place = places[key] {
      changes[place].isAdded = change.isAdded
    } else {
      places[key] = changes.count
      changes.append(change)
    }
  }

  mutating func removeAll() {
    changes = []
    places = [:]
  }
}

extension ModelContext {
  func notePair(
    _ object: ManagedObject, _ slot: Int, _ other: ManagedObject, _ inverse: Int?,
    _ pairs: PairTable, _ relationship: RelationshipLayout, isAdded: Bool
  ) {
    // A mirrored pair is the same from both ends: what is noted last of it counts, from whichever.
    let isSource = pairs.near == "source" && (!pairs.isMirrored || object.key <= other.key)
    let (source, target) = isSource ? (object, other) : (other, object)
    pairChanges.note(
      PairChanges.Key(owner: relationship.ownerNumber, source: source.key, target: target.key),
      PairChanges.Change(
        table: pairs.table, source: source, target: target,
        sourceSlot: isSource ? slot : inverse, targetSlot: isSource ? inverse : slot,
        isMirrored: pairs.isMirrored, isAdded: isAdded))
  }
}
