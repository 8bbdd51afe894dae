/// The entries of one record as bytes: for each the number of its slot, the length, and the value.
struct EntryList {
  /// One entry.
  struct Entry: Hashable {
    var slot: Int64
    var value: [UInt8]
  }

  var entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  /// Reads what `bytes` gives; of a damaged list, what can be read.
  init(bytes: [UInt8]) {
    var rest = bytes[...]
    entries = []
    while let slot = Self.number(&rest), let count = Self.number(&rest), count <= rest.count {
      entries.append(Entry(slot: Int64(clamping: slot), value: Array(rest.prefix(Int(count)))))
      rest = rest.dropFirst(Int(count))
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.reduce(0) { $0 + $1.value.count + 4 })
    for entry in entries {
      Self.append(UInt64(clamping: entry.slot), to: &bytes)
      Self.append(UInt64(entry.value.count), to: &bytes)
      bytes += entry.value
    }
    return bytes
  }

  /// Seven bits a byte, the lowest first.
  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 63, let byte = rest.popFirst() {
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
