/// The objects of a relationship whose keys are not in the holder's own row: what the store has, and
/// what was added and removed since.
///
/// Members are keys, so that objects that refer to one another do not keep one another alive; those
/// that have never been saved are held besides.
final class RelatedObjects {
  /// The members in order; nil while they have not been read.
  var members: [Int64]?
  /// The members' places, where the relationship is ordered by a table of pairs; else empty.
  var orders: [Int64] = []
  /// What was added since the members were last saved, in order.
  var added: [Int64] = []
  /// What was removed since the members were last saved.
  var removed: Set<Int64> = []
  /// Members that have no lasting key yet.
  var held: [Int64: ManagedObject] = [:]
  private var addedKeys: Set<Int64> = []
  /// The members as a set, made when it is first needed.
  private var memberKeys: Set<Int64>?
  /// When the members were read; an older one than the context's is read again.
  var generation = 0

  /// With `isNew` there is nothing in the store to read.
  init(isNew: Bool) { members = isNew ? [] : nil }

  /// Whether anything differs from the store.
  var isChanged: Bool { !added.isEmpty || !removed.isEmpty }

  /// Takes the members that the store has, and brings them up to what was changed here.
  func load(_ stored: [Int64], orders storedOrders: [Int64], generation: Int) {
    self.generation = generation
    memberKeys = nil
    if !isChanged {
      members = stored
      orders = storedOrders
      return
    }
    var members: [Int64] = []
    var orders: [Int64] = []
    var seen: Set<Int64> = []
    for (index, key) in stored.enumerated() where !removed.contains(key) {
      if seen.insert(key).inserted {
        members.append(key)
        if !storedOrders.isEmpty { orders.append(storedOrders[index]) }
      }
    }
    for key in added where seen.insert(key).inserted {
      members.append(key)
      if !storedOrders.isEmpty { orders.append((orders.last ?? 0) + SparseOrder.gap) }
    }
    self.members = members
    self.orders = orders
  }

  /// Whether `key` is a member; only for members that have been read.
  func contains(_ key: Int64) -> Bool {
    let keys = memberKeys ?? Set(members ?? [])
    memberKeys = keys
    return keys.contains(key)
  }

  func noteAdded(_ object: ManagedObject) {
    let key = object.key
    if removed.remove(key) == nil && addedKeys.insert(key).inserted { added.append(key) }
    if key < 0 { held[key] = object }
    guard members != nil, !contains(key) else { return }
    members?.append(key)
    memberKeys?.insert(key)
    orders.append((orders.last ?? 0) + SparseOrder.gap)
  }

  func noteRemoved(_ key: Int64) {
    if addedKeys.remove(key) != nil {
      added.removeAll { $0 == key }
    } else {
      removed.insert(key)
    }
    held.removeValue(forKey: key)
    guard members != nil, contains(key), let place = members?.firstIndex(of: key) else { return }
    members?.remove(at: place)
    memberKeys?.remove(key)
    if place < orders.count { orders.remove(at: place) }
  }

  /// Puts the members into another order; they must be the same.
  func reorder(_ members: [Int64], orders: [Int64]) {
    self.members = members
    self.orders = orders
  }

  /// After a save: the store has it all, and new members have keys that last.
  func settle() {
    added.removeAll()
    addedKeys.removeAll()
    removed.removeAll()
    if held.isEmpty { return }
    memberKeys = nil
    members = members?.map { held[$0]?.key ?? $0 }
    held = [:]
  }
}

/// Places in an order, with gaps, so that most moves touch one object.
enum SparseOrder {
  /// The distance between places that were given one after the other.
  static let gap: Int64 = 1024

  /// A place between two others; nil where there is none left.
  static func place(after low: Int64?, before high: Int64?) -> Int64? {
    switch (low, high) {
    case (nil, nil): return gap
    case (let low?, nil): return low > .max - gap ? nil : low + gap
    case (nil, let high?): return high < .min + gap ? nil : high - gap
    case (let low?, let high?):
      let (distance, overflow) = high.subtractingReportingOverflow(low)
      return overflow || distance < 2 ? nil : low + distance / 2
    }
  }

  /// Places for a list of objects, keeping those that are in order already.
  static func places(for current: [Int64?]) -> [Int64] {
    var result: [Int64] = []
    for (index, place) in current.enumerated() {
      let last = result.last
      if let place, last.map({ place > $0 }) ?? true {
        result.append(place)
        continue
      }
      let next = current[(index + 1)...].lazy.compactMap { $0 }.first { next in
        last.map { next > $0 } ?? true
      }
      guard
        let place = Self.place(after: last, before: next) ?? Self.place(after: last, before: nil)
      else { return current.indices.map { Int64($0 + 1) * gap } }
      result.append(place)
    }
    // A place taken past the next object's own makes that one move too, so it always ascends.
    return result
  }
}
