import DataModel
internal import JSONStream

/// What history keeps of a deleted object: the attributes that are marked to be preserved, by the
/// numbers of their properties.
enum Tombstone {
  /// How many bytes of a value in a file are kept; of a larger one only its size is.
  static let fileBytesMax = 1 << 20

  /// The bytes that history keeps; nil where there is nothing to keep.
  ///
  /// Values in files are read from `folder`.
  static func bytes(_ row: Row?, _ layout: EntityLayout, _ folder: ValueFolder? = nil) -> [UInt8]? {
    guard let row, !layout.preservedSlots.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for slot in layout.preservedSlots where row.isPresent(slot) {
      let number = layout.slots[slot].number
      guard layout.slots[slot].kind == .bytes, row.bytes(slot, layout).file != nil else {
        TombstoneValue.append(number, row.value(slot, layout), to: &bytes)
        continue
      }
      switch kept(row.bytes(slot, layout), folder) {
      case .whole(let value): TombstoneValue.append(number, .data(value), to: &bytes)
      case .dropped(let size): TombstoneValue.appendDropped(number, size: size, to: &bytes)
      }
    }
    return bytes
  }

  private enum Kept {
    case whole([UInt8])
    case dropped(size: Int)
  }

  private static func kept(_ value: BytesSlot, _ folder: ValueFolder?) -> Kept {
    let size =
      value.bytes.isEmpty
      ? value.file.flatMap { folder?.size($0.name) } ?? 0 : value.bytes.count
    if size <= fileBytesMax, let bytes = folder?.bytes(value) { return .whole(bytes) }
    return .dropped(size: size)
  }

  /// The sizes of values that were too large to be kept, by the numbers of their properties; 0 where
  /// the file was gone.
  static func droppedSizes(_ bytes: [UInt8]) -> [Int: Int] {
    var sizes: [Int: Int] = [:]
    var rest = bytes[...]
    while let (number, value) = TombstoneValue.take(from: &rest) {
      if case .list(let dropped) = value, case .integer(let size)? = dropped.first {
        sizes[number] = Int(clamping: size)
      }
    }
    return sizes
  }

  /// The values that `bytes` holds, by the numbers of their properties; stops where they are damaged.
  static func values(_ bytes: [UInt8]) -> [Int: FieldValue] {
    var values: [Int: FieldValue] = [:]
    var rest = bytes[...]
    while let (number, value) = TombstoneValue.take(from: &rest) {
      if case .list = value { continue }
      values[number] = value
    }
    return values
  }
}
