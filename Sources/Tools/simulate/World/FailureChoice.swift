import SyncCore

/// What somebody does about what has failed on a device.
struct FailureChoice {
  enum Kind: String, CaseIterable { case retry, recreate, discard }

  var device: Int
  var kind: Kind
  /// Which of the records it is about, counted over all of them again and again; nil for all.
  var place: Int?
  /// Where the random numbers of the program come from that does it.
  var seed: UInt64

  init(_ device: Int, _ random: inout SeededRandom) {
    self.device = device
    kind = random.pick(Kind.allCases) ?? .retry
    place = random.chance(500) ? random.int(0...99) : nil
    seed = random.next()
  }
}
