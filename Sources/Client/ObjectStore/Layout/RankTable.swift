import DataModel

/// The slot of each property of an entity by the property's rank.
///
/// A macro sees one class at a time and no types, so it cannot know slots. What it knows are ranks: the
/// place of a property among those that its own class declares, attributes and relationships together,
/// sorted by the bytes of their names, behind all of the ancestors. A composite attribute has one rank,
/// which leads to the slot of its first member.
///
/// The memory is written when the table is made and given back with it, so it may be read from anywhere.
public final class RankTable: @unchecked Sendable {
  /// What stands for a property that has no slot.
  public static let none: Int32 = -1

  /// The slots.
  public let slots: UnsafePointer<Int32>
  /// How many ranks there are.
  public let count: Int

  init(_ levels: [Schema.Entity], _ slots: [Slot]) {
    let names = levels.flatMap { level in
      (level.attributes.map(\.name) + level.relationships.map(\.name))
        .sorted { $0.precedesInBytes($1) }
    }
    var places: [String: Int32] = [:]
    for (index, slot) in slots.enumerated() {
      // The first member of a composite attribute stands for it.
      let whole = slot.attribute == nil ? slot.name[...] : slot.name.prefix { $0 != "." }
      if places[String(whole)] == nil { places[String(whole)] = Int32(clamping: index) }
    }
    let memory = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, names.count))
    memory.initialize(repeating: Self.none, count: max(1, names.count))
    for (rank, name) in names.enumerated() { memory[rank] = places[name] ?? Self.none }
    self.slots = UnsafePointer(memory)
    count = names.count
  }

  deinit { slots.deallocate() }
}

extension ManagedObject {
  /// The slot of the property with `rank`.
  @inlinable @inline(__always)
  public func slot(rank: Int) -> Int { Int(layout.ranks.slots[rank]) }
}
