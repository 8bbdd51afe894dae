import DataModel

/// The entries of one zone in memory.
struct MemoryIndex {
  private(set) var entries: [ExactName: [IndexEntry]] = [:]
  /// The entries of each slot, by value and name.
  private var slots: [IndexSlot: [Entry]] = [:]

  struct Entry {
    var value: [UInt8]
    var name: ExactName

    func precedes(_ value: [UInt8], _ name: ExactName) -> Bool {
      if self.value != value { return self.value.lexicographicallyPrecedes(value) }
      return self.name.text.precedesInBytes(name.text)
    }
  }

  /// Gives a record other entries.
  mutating func set(_ new: [IndexEntry], of name: ExactName) {
    for entry in entries[name] ?? [] {
      let place = place(of: entry.value, name, in: entry.slot)
      slots[entry.slot]?.remove(at: place)
    }
    for entry in new {
      let place = place(of: entry.value, name, in: entry.slot)
      slots[entry.slot, default: []].insert(Entry(value: entry.value, name: name), at: place)
    }
    entries[name] = new.isEmpty ? nil : new
  }

  /// Takes away the entries of a slot.
  mutating func remove(_ slot: IndexSlot) {
    for name in Set((slots[slot] ?? []).map(\.name)) {
      set((entries[name] ?? []).filter { $0.slot != slot }, of: name)
    }
  }

  /// The entries that a scan reads, in its order.
  func scan(_ scan: IndexScan) -> [Entry] {
    let entries = slots[scan.slot] ?? []
    let lower = place(of: scan.range.lower, ExactName(""), in: scan.slot)
    let upper = place(of: scan.range.upper, ExactName(""), in: scan.slot)
    guard lower < upper else { return [] }
    let found = entries[lower..<upper].filter { scan.reaches($0.value, $0.name.text) }
    return scan.isDescending ? found.reversed() : found
  }

  /// Where an entry is, or would be.
  private func place(of value: [UInt8], _ name: ExactName, in slot: IndexSlot) -> Int {
    let entries = slots[slot] ?? []
    var low = 0
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].precedes(value, name) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension IndexScan {
  /// Whether an entry comes behind the place where the scan begins.
  func reaches(_ value: [UInt8], _ name: String) -> Bool {
    guard let start else { return true }
    if value != start.value {
      return value.lexicographicallyPrecedes(start.value) == isDescending
    }
    if name.utf8.elementsEqual(start.name.utf8) { return start.isIncluded }
    return name.utf8.lexicographicallyPrecedes(start.name.utf8) == isDescending
  }
}
