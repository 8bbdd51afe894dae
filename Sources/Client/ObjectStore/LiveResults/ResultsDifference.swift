public import DataModel

/// What makes the newer of two lists of results out of the older one.
///
/// ```swift
/// identities = update.difference.applied(to: identities)
/// ```
public struct ResultsDifference: Sendable, Hashable {
  /// An object at a place of one of the lists.
  public struct Place: Sendable, Hashable {
    /// The object.
    public var identity: ObjectIdentity
    /// Its place.
    public var index: Int

    /// Names an object and its place.
    public init(_ identity: ObjectIdentity, at index: Int) {
      self.identity = identity
      self.index = index
    }
  }

  /// An object that is at another place.
  public struct Move: Sendable, Hashable {
    /// The object.
    public var identity: ObjectIdentity
    /// Its place in the older list.
    public var from: Int
    /// Its place in the newer list.
    public var to: Int

    /// Names an object and its places.
    public init(_ identity: ObjectIdentity, from: Int, to: Int) {
      self.identity = identity
      self.from = from
      self.to = to
    }
  }

  /// An object that was new, and has been given a lasting identity by a save.
  public struct Saved: Sendable, Hashable {
    /// Its identity in the older list, with a key below zero.
    public var old: ObjectIdentity
    /// Its identity from now on.
    public var new: ObjectIdentity
  }

  /// The objects that are in the newer list only, with their places there, in order.
  public var inserted: [Place] = []
  /// The objects that are in the older list only, with their places there, in order.
  public var removed: [Place] = []
  /// The objects of both lists that others were moved past, as few as will do, by their new places.
  public var moved: [Move] = []
  /// The objects of both lists whose properties may have changed, with their new places, in order.
  public var updated: [Place] = []
  /// The objects of both lists that a save gave another identity; `removed` and all others speak of the
  /// newer one.
  public var saved: [Saved] = []

  /// Nothing is different.
  public init() {}

  /// Whether the lists are the same, and so are their objects.
  public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && moved.isEmpty && updated.isEmpty && saved.isEmpty
  }

  /// The newer list, made of the older one; a list that is not the older one gives something else.
  public func applied(to older: [ObjectIdentity]) -> [ObjectIdentity] {
    let names = Dictionary(saved.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    let gone = Set(removed.map(\.index)).union(moved.map(\.from))
    let arriving = Dictionary(
      inserted.map { ($0.index, $0.identity) } + moved.map { ($0.to, $0.identity) },
      uniquingKeysWith: { first, _ in first })
    var staying = older.indices.lazy.filter { !gone.contains($0) }.map { older[$0] }
      .makeIterator()
    var newer: [ObjectIdentity] = []
    while true {
      if let identity = arriving[newer.count] {
        newer.append(identity)
      } else if let identity = staying.next() {
        newer.append(names[identity] ?? identity)
      } else {
        return newer
      }
    }
  }
}

/// One object of a list of results: its key, and the position of its entity in the store's layout.
struct ResultEntry: Hashable {
  var key: Int64
  var entity: Int32
}

/// The places at which two lists of keys differ.
///
/// Keys are in a list once each. What both begin and end with costs a comparison per key, and so does a
/// list that did not change; what is between is looked up once per key.
struct KeyDifference {
  var inserted: [Int] = []
  var removed: [Int] = []
  var moved: [(from: Int, to: Int)] = []

  init(_ old: [Int64], _ new: [Int64]) {
    var first = 0
    let shorter = min(old.count, new.count)
    while first < shorter && old[first] == new[first] { first += 1 }
    var last = 0
    while last < shorter - first && old[old.count - 1 - last] == new[new.count - 1 - last] {
      last += 1
    }
    let oldEnd = old.count - last
    let newEnd = new.count - last
    if first == oldEnd {
      inserted = Array(first..<newEnd)
      return
    }
    if first == newEnd {
      removed = Array(first..<oldEnd)
      return
    }
    var places: [Int64: Int] = [:]
    places.reserveCapacity(oldEnd - first)
    for place in first..<oldEnd { places[old[place]] = place }
    var kept: [(from: Int, to: Int)] = []
    for place in first..<newEnd {
      if let from = places.removeValue(forKey: new[place]) {
        kept.append((from, place))
      } else {
        inserted.append(place)
      }
    }
    removed = places.values.sorted()
    let still = Self.longestRise(kept.map(\.from))
    moved = kept.indices.filter { !still.contains($0) }.map { kept[$0] }
  }

  /// The positions of a longest part of `numbers` that rises: what can stay where it is.
  private static func longestRise(_ numbers: [Int]) -> Set<Int> {
    var isRising = true
    for (left, right) in zip(numbers, numbers.dropFirst()) where left > right { isRising = false }
    if isRising { return Set(numbers.indices) }
    // ends[n]: where a rise of n + 1 numbers ends at the smallest number.
    var ends: [Int] = []
    var before: [Int?] = []
    for (position, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var rise: Set<Int> = []
    var next = ends.last
    while let position = next {
      rise.insert(position)
      next = before[position]
    }
    return rise
  }
}
