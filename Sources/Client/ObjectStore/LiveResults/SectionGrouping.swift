import DataModel

/// Puts what has one title together, in the order in which the titles first appear.
///
/// What comes sorted by what makes the title is left as it is.
struct SectionGrouping {
  private var places: [AnyHashable: Int] = [:]
  private var titles: [AnyHashable] = []
  private var counts: [Int] = []
  /// For each entry the position of its section.
  private var assigned: [Int] = []
  private var isContiguous = true

  /// The section of the next entry.
  mutating func append(_ title: AnyHashable) {
    let place = places[title, default: titles.count]
    if place == titles.count {
      places[title] = place
      titles.append(title)
      counts.append(0)
    }
    append(place)
  }

  /// The next entry is of the section of the one before it.
  mutating func appendAgain() {
    if let last = assigned.last { append(last) }
  }

  private mutating func append(_ place: Int) {
    if let last = assigned.last, last > place { isContiguous = false }
    assigned.append(place)
    counts[place] += 1
  }

  /// The sections, and the entries in the order that makes each one a single piece.
  func grouped(_ entries: [ResultEntry]) -> ([ResultEntry], [ResultRows.SectionRange]) {
    var sections: [ResultRows.SectionRange] = []
    var start = 0
    for (title, count) in zip(titles, counts) {
      sections.append(ResultRows.SectionRange(title: title, range: start..<start + count))
      start += count
    }
    if isContiguous { return (entries, sections) }
    var next = sections.map(\.range.lowerBound)
    var sorted = entries
    for (entry, place) in zip(entries, assigned) {
      sorted[next[place]] = entry
      next[place] += 1
    }
    return (sorted, sections)
  }
}
