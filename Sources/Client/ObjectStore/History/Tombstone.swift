import DataModel
internal import JSONStream

/// What history keeps of a deleted object: the attributes that are marked to be preserved, by the
/// numbers of their properties.
enum Tombstone {
  /// The bytes that history keeps; nil where there is nothing to keep.
  static func bytes(_ row: Row?, _ layout: EntityLayout) -> [UInt8]? {
    guard let row, !layout.preservedSlots.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for slot in layout.preservedSlots where row.isPresent(slot) {
      TombstoneValue.append(layout.slots[slot].number, row.value(slot, layout), to: &bytes)
    }
    return bytes
  }

  /// The values that `bytes` holds, by the numbers of their properties; stops where they are damaged.
  static func values(_ bytes: [UInt8]) -> [Int: FieldValue] {
    var values: [Int: FieldValue] = [:]
    var rest = bytes[...]
    while let (number, value) = TombstoneValue.take(from: &rest) { values[number] = value }
    return values
  }
}
