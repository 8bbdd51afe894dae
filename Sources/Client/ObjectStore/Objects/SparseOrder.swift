/// Places in an order, with gaps, so that most moves touch one object.
enum SparseOrder {
  /// The distance between places that were given one after the other.
  static let gap: Int64 = 1024
  /// Objects that are moved to make room get at least this distance, so that room lasts for a while.
  static let leastNewGap: Int64 = 64

  /// The place behind the last one; nil where numbers end.
  static func place(after last: Int64?) -> Int64? {
    guard let last else { return gap }
    let (place, overflow) = last.addingReportingOverflow(gap)
    return overflow ? nil : place
  }

  /// Places for a list of objects that have those places now, moving as few as it can.
  static func places(for current: [Int64?]) -> [Int64] {
    var isKept = longestAscending(current)
    guard isKept.contains(true) else { return Array(renumbered(current.count)) }
    var result = current.map { $0 ?? 0 }
    var index = 0
    while index < current.count {
      if isKept[index] {
        index += 1
        continue
      }
      var start = index
      var end = index
      while end < current.count, !isKept[end] { end += 1 }
      var places = between(
        start == 0 ? nil : result[start - 1], end == current.count ? nil : result[end],
        count: end - start, least: 1)
      // No room: neighbours move too, more and more of them, until there is some.
      var more = 1
      while places == nil {
        if start == 0 && end == current.count { return Array(renumbered(current.count)) }
        start = max(0, start - more)
        end = min(current.count, end + more)
        // Objects behind may be waiting for their places themselves.
        while end < current.count, !isKept[end] { end += 1 }
        more *= 2
        places = between(
          start == 0 ? nil : result[start - 1], end == current.count ? nil : result[end],
          count: end - start, least: leastNewGap)
      }
      for (offset, place) in (places ?? []).enumerated() {
        result[start + offset] = place
        isKept[start + offset] = true
      }
      index = end
    }
    return result
  }

  private static func renumbered(_ count: Int) -> some Sequence<Int64> {
    (0..<count).lazy.map { Int64($0 + 1) * gap }
  }

  /// `count` places between two others, at least `least` apart; nil where there are none.
  private static func between(_ low: Int64?, _ high: Int64?, count: Int, least: Int64) -> [Int64]? {
    let count = Int64(count)
    let (room, tooMuch) = (count + 1).multipliedReportingOverflow(by: gap)
    if tooMuch { return nil }
    switch (low, high) {
    case (nil, nil): return nil
    case (let low?, nil):
      guard low < .max - room else { return nil }
      return (1...count).map { low + $0 * gap }
    case (nil, let high?):
      guard high > .min + room else { return nil }
      return (1...count).map { high - (count + 1 - $0) * gap }
    case (let low?, let high?):
      let (distance, overflow) = high.subtractingReportingOverflow(low)
      if overflow { return nil }
      let step = distance / (count + 1)
      return step < least ? nil : (1...count).map { low + $0 * step }
    }
  }

  /// Which objects may stay where they are: the most that ascend already.
  private static func longestAscending(_ current: [Int64?]) -> [Bool] {
    // The classic way: for each length the run with the smallest end, and for each object the one
    // before it in its run.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: current.count)
    for (index, place) in current.enumerated() {
      guard let place else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if (current[ends[middle]] ?? .max) < place { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var isKept = [Bool](repeating: false, count: current.count)
    var next = ends.last ?? -1
    while next >= 0 {
      isKept[next] = true
      next = before[next]
    }
    return isKept
  }
}
