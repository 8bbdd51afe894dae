/// Random numbers from a seed: the same seed gives the same numbers on every machine (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Whether something happens that happens once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// A number from 0 to `count` - 1; 0 when there is none.
  package mutating func below(_ count: Int) -> Int {
    count > 1 ? Int.random(in: 0..<count, using: &self) : 0
  }

  /// One of `choices`, or `fallback` when there are none.
  package mutating func pick<Choice>(_ choices: [Choice], or fallback: Choice) -> Choice {
    choices.isEmpty ? fallback : choices[below(choices.count)]
  }

  /// Up to `countMax` values that `make` gives, those left out that are equal to an earlier one.
  package mutating func distinct<Value: Hashable>(
    upTo countMax: Int, _ make: (inout SeededGenerator) -> Value
  ) -> [Value] {
    var seen: Set<Value> = []
    return (0..<below(countMax + 1)).compactMap { _ in
      let value = make(&self)
      return seen.insert(value).inserted ? value : nil
    }
  }
}
