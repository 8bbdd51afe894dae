/// Where a row in memory keeps what was read of its properties, or what they were set to: a reference for each that
/// takes long to read or to write.
struct KeptPlaces: Sendable {
  /// How many bytes a reference takes.
  private static let byteCount = MemoryLayout<UnsafeRawPointer>.stride

  /// The place for each slot, one for the parts of a composite; 0 for what is read as it lies there.
  private(set) var places: [Int] = []
  /// The property that each place is for, in the order of the places.
  private(set) var properties: [KeptProperty] = []
  /// The first place, and where they end.
  private let start: Int
  var end: Int { start + properties.count * Self.byteCount }

  /// The places for `slots`, one behind the other from `start`, which is not 0 where there are any slots.
  init(_ slots: [Slot], from start: Int) {
    self.start = start
    var parts: [[Int]] = []
    var composites: [Substring: Int] = [:]
    for (index, slot) in slots.enumerated() {
      let number: Int
      if let composite = slot.composite {
        number = composites[composite] ?? parts.count
        composites[composite] = number
      } else if slot.takesLong {
        number = parts.count
      } else {
        places.append(0)
        continue
      }
      if number == parts.count { parts.append([]) }
      parts[number].append(index)
      places.append(start + number * Self.byteCount)
    }
    properties = parts.map { KeptProperty($0, isComposite: slots[$0[0]].composite != nil) }
  }

  /// Each place once.
  var all: StrideTo<Int> { stride(from: start, to: end, by: Self.byteCount) }

  /// The property that a place is for.
  func property(at place: Int) -> KeptProperty { properties[(place - start) / Self.byteCount] }
}
