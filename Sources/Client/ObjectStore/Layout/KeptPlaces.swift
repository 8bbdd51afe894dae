/// Where a row in memory keeps what was read of its properties: a reference for each that takes long to read.
struct KeptPlaces {
  /// How many bytes a reference takes.
  private static let byteCount = MemoryLayout<UnsafeRawPointer>.stride

  /// The place for each slot, one for the parts of a composite; 0 for what is read as it lies there.
  private(set) var places: [Int] = []
  /// The first place, and where they end.
  private let start: Int
  private(set) var end: Int

  /// The places for `slots`, one behind the other from `start`, which is not 0 where there are any slots.
  init(_ slots: [Slot], from start: Int) {
    (self.start, end) = (start, start)
    var composites: [Substring: Int] = [:]
    for slot in slots {
      if let composite = slot.composite {
        let place = composites[composite] ?? next()
        composites[composite] = place
        places.append(place)
      } else {
        places.append(slot.takesLong ? next() : 0)
      }
    }
  }

  /// Each place once.
  var all: StrideTo<Int> { stride(from: start, to: end, by: Self.byteCount) }

  private mutating func next() -> Int {
    defer { end += Self.byteCount }
    return end
  }
}
