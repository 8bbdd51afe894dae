/// The objects of a relationship whose keys are not in the holder's own row: what the store has, and
/// what was added and removed since.
///
/// Members are keys, so that objects that refer to one another do not keep one another alive; those
/// that have never been saved are held besides.
final class RelatedObjects {
  /// Whether the store's members have been read.
  private(set) var isRead: Bool
  /// Whether members have places of their own here, in a table of pairs.
  let keepsPlaces: Bool
  /// Members that have no lasting key yet.
  private(set) var held: [Int64: ManagedObject] = [:]
  /// When the members were read; an older one than the context's is read again.
  var generation = 0

  /// The members in order, with 0 where one was taken out.
  private var keys: [Int64] = []
  private var holeCount = 0
  /// Where the members are in `keys`, made when it is first needed.
  private var positions: [Int64: Int]?
  /// What must be a member whatever the store has, with numbers in the order of adding, and what
  /// must not be one.
  ///
  /// Nothing is in both.
  private var added: [Int64: Int] = [:]
  private var addedCount = 0
  private var removed: Set<Int64> = []
  /// The members' places as the store has them, and those that were given since.
  private var storedPlaces: [Int64: Int64] = [:]
  private var newPlaces: [Int64: Int64] = [:]

  /// With `isNew` there is nothing in the store to read.
  init(isNew: Bool, keepsPlaces: Bool) {
    isRead = isNew
    self.keepsPlaces = keepsPlaces
  }

  /// Whether anything differs from the store.
  var isChanged: Bool { !added.isEmpty || !removed.isEmpty || !newPlaces.isEmpty }

  /// The members that have been read or added, in order.
  var members: [Int64] {
    if holeCount > 0 {
      keys.removeAll { $0 == 0 }
      holeCount = 0
      positions = nil
    }
    return keys
  }

  /// The last member.
  var last: Int64? { keys.last { $0 != 0 } }

  /// How many members there are.
  var count: Int { keys.count - holeCount }

  /// What was added, in order.
  var addedKeys: [Int64] { added.sorted { $0.value < $1.value }.map(\.key) }

  /// The place of a member, where members have places here.
  func place(_ key: Int64) -> Int64? { newPlaces[key] ?? storedPlaces[key] }
}

extension RelatedObjects {
  /// Takes the members that the store has, in order, and brings them up to what was changed here.
  ///
  /// `places` are the members' places where they are ordered. A member whose place was changed here
  /// has another one: that of `currentPlace`.
  func load(
    _ stored: [Int64], places: [Int64], generation: Int,
    currentPlace: ((Int64) -> Int64?)? = nil
  ) {
    self.generation = generation
    isRead = true
    holeCount = 0
    positions = nil
    if keepsPlaces {
      storedPlaces = Dictionary(zip(stored, places), uniquingKeysWith: { first, _ in first })
    }
    if !isChanged && currentPlace == nil {
      keys = stored
      return
    }
    var seen: Set<Int64> = []
    keys = (stored.filter { !removed.contains($0) } + addedKeys).filter { seen.insert($0).inserted }
    if places.isEmpty && !keepsPlaces && currentPlace == nil { return }
    sort(Dictionary(zip(stored, places), uniquingKeysWith: { first, _ in first }), currentPlace)
  }

  /// Sorts by places, and where those are the same by keys, as SQL does; what has none, and new
  /// objects, stand behind others, in the order in which they were added.
  private func sort(_ stored: [Int64: Int64], _ currentPlace: ((Int64) -> Int64?)?) {
    let placed = keys.enumerated().map { index, key in
      let place = newPlaces[key] ?? currentPlace?(key) ?? stored[key] ?? .max
      return (place: place, isLater: key < 0 || place == .max, index: index, key: key)
    }
    keys = placed.sorted { left, right in
      if left.place != right.place { return left.place < right.place }
      if left.isLater != right.isLater { return right.isLater }
      return left.isLater ? left.index < right.index : left.key < right.key
    }.map(\.key)
  }

  /// Whether `key` is a member; only for members that have been read.
  func contains(_ key: Int64) -> Bool { position(key) != nil }

  /// Lists that are looked through rather than indexed.
  private static let shortMax = 16

  private func position(_ key: Int64) -> Int? {
    if positions == nil {
      if keys.count <= Self.shortMax { return keys.firstIndex(of: key) }
      var made: [Int64: Int] = [:]
      made.reserveCapacity(keys.count)
      for (index, key) in keys.enumerated() where key != 0 { made[key] = index }
      positions = made
    }
    return positions?[key]
  }

  func noteAdded(_ object: ManagedObject) {
    let key = object.key
    removed.remove(key)
    if added[key] == nil {
      added[key] = addedCount
      addedCount += 1
    }
    if key < 0 { held[key] = object }
    guard isRead, position(key) == nil else { return }
    if keepsPlaces { newPlaces[key] = SparseOrder.place(after: last.flatMap(place)) }
    positions?[key] = keys.count
    keys.append(key)
  }

  func noteRemoved(_ key: Int64) {
    added.removeValue(forKey: key)
    newPlaces.removeValue(forKey: key)
    held.removeValue(forKey: key)
    removed.insert(key)
    guard isRead, let position = position(key) else { return }
    positions?.removeValue(forKey: key)
    keys[position] = 0
    holeCount += 1
    while keys.last == 0 {
      keys.removeLast()
      holeCount -= 1
    }
  }

  /// Puts the members into another order; they must be the same.
  ///
  /// Returns those whose places changed.
  func reorder(_ members: [Int64], places: [Int64]) -> [Int64] {
    keys = members
    holeCount = 0
    positions = nil
    guard keepsPlaces else { return [] }
    var moved: [Int64] = []
    for (key, place) in zip(members, places) where self.place(key) != place {
      newPlaces[key] = place
      moved.append(key)
    }
    return moved
  }

  /// After a save: the store has it all, and new members have keys that last.
  func settle(generation: Int) {
    // What began as new needs no reading: what is here is all there is.
    if isRead && self.generation == 0 { self.generation = generation }
    if !newPlaces.isEmpty { storedPlaces.merge(newPlaces) { _, new in new } }
    if !held.isEmpty {
      keys = members.map { held[$0]?.key ?? $0 }
      for (key, object) in held {
        if let place = storedPlaces.removeValue(forKey: key) { storedPlaces[object.key] = place }
      }
      positions = nil
      held = [:]
    }
    added = [:]
    addedCount = 0
    removed = []
    newPlaces = [:]
  }

  /// Lets go of members that will never be saved.
  func releaseHeld() {
    for key in held.keys { noteRemoved(key) }
  }
}
