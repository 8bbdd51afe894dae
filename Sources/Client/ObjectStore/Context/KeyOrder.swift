/// The order in which new objects get their keys: what an object is unique by comes before the object.
///
/// Whether the store has such an object is asked with the keys of those that it refers to, and one of
/// those may itself turn out to be an object of the store.
struct KeyOrder {
  private let objects: [ManagedObject]
  private let places: [ObjectIdentifier: Int]
  private var isPlaced: [Bool]
  private(set) var ordered: [ManagedObject] = []

  /// The objects in that order, else in their own; of a ring the one that was inserted first comes last.
  static func of(_ objects: [ManagedObject]) -> [ManagedObject] {
    guard objects.contains(where: { !$0.awaited.isEmpty }) else { return objects }
    var order = KeyOrder(objects)
    for place in objects.indices { order.add(place) }
    return order.ordered
  }

  private init(_ objects: [ManagedObject]) {
    self.objects = objects
    places = Dictionary(
      objects.enumerated().map { (ObjectIdentifier($1), $0) },
      uniquingKeysWith: { first, _ in first })
    isPlaced = Array(repeating: false, count: objects.count)
    ordered.reserveCapacity(objects.count)
  }

  /// Adds an object behind all that it waits for.
  ///
  /// Not by recursion: a chain may be as long as there are objects.
  private mutating func add(_ place: Int) {
    guard !isPlaced[place] else { return }
    isPlaced[place] = true
    var path = [(place: place, awaited: awaited(place))]
    while let last = path.indices.last {
      if let next = path[last].awaited.popLast() {
        guard !isPlaced[next] else { continue }
        isPlaced[next] = true
        path.append((next, awaited(next)))
      } else {
        ordered.append(objects[path.removeLast().place])
      }
    }
  }

  private func awaited(_ place: Int) -> [Int] {
    objects[place].awaited.compactMap { places[ObjectIdentifier($0)] }
  }
}

extension ManagedObject {
  /// The objects without lasting keys that this one is unique by.
  fileprivate var awaited: [ManagedObject] {
    guard !layout.uniqueReferences.isEmpty, let row = heldRow else { return [] }
    return layout.uniqueReferences.compactMap { slot in
      guard row.isPresent(slot), let other = row.reference(slot, layout).object, other.key < 0
      else { return nil }
      return other
    }
  }
}
