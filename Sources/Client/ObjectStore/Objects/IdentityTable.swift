/// The objects of one hierarchy that a context has in memory, by key: open addressing, a power of two
/// of places, two words each.
///
/// It does not keep its objects alive: an object takes itself out when it goes (`ManagedObject.deinit`),
/// which is why the addresses that it holds are good. That may be on any thread (see `IdentityTableBox`), so that
/// one that is met may be about to go. Keys are counted up by the store and mostly read in that order, so that
/// neighbours lie beside each other: a table of a million objects is read in order, and not all over memory, where each
/// look-up would wait for the next line of it. A multiplication spreads their blocks well enough.
struct IdentityTable: ~Copyable {
  private struct Place {
    /// 0 where the place is free; no object has that key.
    var key: Int64
    var object: Unmanaged<ManagedObject>?
  }

  /// How many bits of a key say its place in a block of neighbours.
  ///
  /// Of keys that are multiples of a block's size apart, some tens meet in one place: as many as half a block holds.
  private static let blockBits = 6

  private var places: UnsafeMutablePointer<Place>
  private var mask: Int { didSet { hashShift = Self.hashShift(mask) } }
  /// How many bits of a hash are not needed to name one of the blocks.
  private var hashShift: UInt64
  private(set) var count = 0

  init() {
    mask = 15
    hashShift = Self.hashShift(15)
    places = Self.allocate(16)
  }

  deinit { places.deallocate() }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Place> {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
    places.initialize(repeating: Place(key: 0, object: nil), count: count)
    return places
  }

  private static func hashShift(_ mask: Int) -> UInt64 {
    UInt64(min(64, mask.leadingZeroBitCount + blockBits))
  }

  @inline(__always)
  private func home(_ key: Int64) -> Int {
    let bits = UInt64(bitPattern: key)
    // The product's topmost bits spread blocks that follow one another evenly, and all others well.
    let block = ((bits >> Self.blockBits) &* 0x9e37_79b9_7f4a_7c15) >> hashShift
    return Int(truncatingIfNeeded: block << Self.blockBits | bits & (1 << Self.blockBits - 1))
      & mask
  }

  /// The object with `key`, if the context has it.
  subscript(key: Int64) -> ManagedObject? {
    var place = home(key)
    while places[place].key != 0 {
      if places[place].key == key { return places[place].object?.takeIfAlive() }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Puts `object` in the place of `key`, which must not be 0.
  mutating func insert(_ object: ManagedObject, _ key: Int64) {
    if key == 0 { return }
    if count * 2 > mask { grow() }
    var place = home(key)
    while places[place].key != 0 && places[place].key != key { place = (place + 1) & mask }
    if places[place].key == 0 { count += 1 }
    places[place] = Place(key: key, object: .passUnretained(object))
  }

  /// Makes room for `more` objects at once.
  mutating func reserve(_ more: Int) {
    while (count + more) * 2 > mask { grow() }
  }

  /// Takes `object` out; another object with the same key stays.
  mutating func remove(_ object: ManagedObject, _ key: Int64) {
    var place = home(key)
    while places[place].key != key {
      if places[place].key == 0 { return }
      place = (place + 1) & mask
    }
    guard places[place].object?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else {
      return
    }
    count -= 1
    closeGap(at: place)
  }

  /// Moves later objects of the same run up, so that no look-up stops at the gap.
  private func closeGap(at start: Int) {
    var gap = start
    var place = (start + 1) & mask
    while places[place].key != 0 {
      let distance = (place - home(places[place].key)) & mask
      if distance >= (place - gap) & mask {
        places[gap] = places[place]
        gap = place
      }
      place = (place + 1) & mask
    }
    places[gap] = Place(key: 0, object: nil)
  }

  private mutating func grow() {
    let old = places
    let oldCount = mask + 1
    mask = oldCount * 2 - 1
    places = Self.allocate(oldCount * 2)
    for index in 0..<oldCount where old[index].key != 0 {
      var place = home(old[index].key)
      while places[place].key != 0 { place = (place + 1) & mask }
      places[place] = old[index]
    }
    old.deallocate()
  }

  /// All objects.
  var all: [ManagedObject] {
    var found: [ManagedObject] = []
    found.reserveCapacity(count)
    for index in 0...mask where places[index].key != 0 {
      if let object = places[index].object?.takeIfAlive() { found.append(object) }
    }
    return found
  }
}

/// An identity table that objects may leave from any thread.
///
/// A program may let go of a model where it likes: a view's model of the main actor goes on the thread that held it
/// last, and its own models with it. All else happens on the context's isolation.
final class IdentityTableBox {
  private let lock = BriefLock()
  @exclusivity(unchecked) private var table = IdentityTable()

  /// How many objects there are.
  var count: Int { lock.withLock { table.count } }

  /// All objects.
  var all: [ManagedObject] { lock.withLock { table.all } }

  /// The object with `key`, if the context has it.
  @inline(__always)
  subscript(key: Int64) -> ManagedObject? { lock.withLock { table[key] } }

  /// Puts `object` in the place of `key`, which must not be 0.
  @inline(__always)
  func insert(_ object: ManagedObject, _ key: Int64) { lock.withLock { table.insert(object, key) } }

  /// Takes `object` out; another object with the same key stays.
  @inline(__always)
  func remove(_ object: ManagedObject, _ key: Int64) { lock.withLock { table.remove(object, key) } }
}
