import DataModel

/// The entries of one slot among which all records are that pass a condition.
struct QueryDriver: Sendable {
  let slot: IndexSlot
  let ranges: [IndexRange]

  /// Whether each range is one value, so that its entries are in the order of names.
  var isByName: Bool {
    ranges.count <= QueryLimits.mergedMax && ranges.allSatisfy { $0.only != nil }
  }

  func scans(isDescending: Bool) -> [IndexScan] {
    ranges.map { IndexScan(slot, $0, isDescending: isDescending) }
  }

  /// Nil for conditions that no entry shows.
  init?(_ condition: QueryCondition, type: String) {
    if condition.isNegated || condition.field == IndexNeed.nameField { return nil }
    let (kind, ranges) = Self.entries(condition.test)
    guard let kind, ranges.count <= QueryLimits.rangesMax else { return nil }
    slot = IndexSlot(type: type, field: condition.field, kind: kind)
    self.ranges = ranges
  }

  private static func entries(
    _ test: QueryCondition.Test
  ) -> (IndexSlot.Kind?, [IndexRange]) {
    switch test {
    case .equals(let value): (.value, only([value]))
    case .isIn(let values): (.value, only(values))
    case .before(let value, _):
      (.value, [IndexRange(from: [1], before: IndexRange.successor(of: IndexBytes.entry(value)))])
    case .after(let value, _): (.value, [IndexRange(from: IndexBytes.entry(value), before: [2])])
    case .begins(let prefix): (.value, [self.prefix(prefix)])
    case .memberBegins(let prefix): (.member, [marked, self.prefix(prefix)])
    case .hasAny(let values): (.member, [marked] + only(values))
    // With one of them at least, the longest, which is the rarest as a rule.
    case .hasAll(let values):
      values.isEmpty ? (nil, []) : (.member, [marked] + only(longest(values)))
    case .allWords(let words): (.word, [marked] + only(longest(words)))
    case .anyWord(let words): (.word, [marked] + only(words))
    case .near(let centre, let metres): (.place, EarthStrips.ranges(around: centre, metres: metres))
    case .never: (.value, [])
    }
  }

  /// The entries that say that a record has to be looked at.
  private static let marked = IndexRange(only: IndexBytes.absent)

  private static func only(_ values: some Sequence<[UInt8]>) -> [IndexRange] {
    Set(values.map { IndexBytes.entry($0) }).map { IndexRange(only: $0) }
  }

  private static func longest(_ values: Set<[UInt8]>) -> [[UInt8]] {
    values.max { $0.count < $1.count }.map { [$0] } ?? []
  }

  private static func prefix(_ prefix: [UInt8]) -> IndexRange {
    let lower = IndexBytes.entry(prefix)
    // The next value without that prefix: the last byte that can grow grows, what follows goes.
    var upper = lower
    while upper.last == .max { upper.removeLast() }
    if let last = upper.popLast() { upper.append(last + 1) }
    return IndexRange(from: lower, before: upper)
  }
}
