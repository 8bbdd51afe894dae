internal import Synchronization

/// A property that has a place in the rows of an entity: its slots, and what is known of its type.
final class KeptProperty: Sendable {
  /// The slots: one, or those of the parts of a composite.
  let slots: [Int]
  /// Whether it is a composite attribute, of which a slot is only a part.
  let isComposite: Bool
  /// The type whose values were set last, with the lowest bit set where they are not plain; 0 while none was.
  private let known = Atomic<UInt>(0)

  init(_ slots: [Int], isComposite: Bool) {
    self.slots = slots
    self.isComposite = isComposite
  }

  /// Whether nobody who has a copy of a value of the type can change the value; asked once for a type.
  func isPlain(_ type: ObjectIdentifier, _ isPlain: () -> Bool) -> Bool {
    // Of a type it is the address of its metadata, which are words: the lowest bit is free.
    let name = UInt(bitPattern: type)
    let known = known.load(ordering: .relaxed)
    if known & ~1 == name { return known & 1 == 0 }
    let answer = isPlain()
    self.known.store(answer ? name : name | 1, ordering: .relaxed)
    return answer
  }
}
