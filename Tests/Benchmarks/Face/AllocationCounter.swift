import StoreFloors

/// Counts the allocations of work that is done by one thread while no other does anything.
enum AllocationCounter {
  /// How many allocations `work` makes, once lazy values are made.
  static func count(_ work: () -> Void) -> Int {
    work()
    floor_count_allocations()
    work()
    return Int(floor_allocations())
  }
}
