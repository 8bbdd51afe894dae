import SyncCore

/// Sources of random numbers for each concern of a world, so that one that draws more does not change
/// what the others draw.
enum RandomForks {
  /// The source of a concern.
  static func source(_ seed: UInt64, _ concern: String) -> SeededRandom {
    var mix: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in concern.utf8 { mix = (mix ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    var first = SeededRandom(seed: seed)
    return SeededRandom(seed: first.next() ^ mix)
  }
}

extension SeededRandom {
  /// True so many times of a thousand.
  mutating func chance(_ thousandth: Int) -> Bool {
    thousandth > 0 && Int.random(in: 0..<1_000, using: &self) < thousandth
  }

  /// One of these; nil of none.
  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[Int.random(in: elements.indices, using: &self)]
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func milliseconds(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &self)
  }
}
