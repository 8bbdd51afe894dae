/// Finds what somebody who mistyped a name may have meant.
package enum NearestName {
  /// The names nearest to `name`, best first; none when nothing is near.
  ///
  /// A name is near when a third of its letters, or fewer, must change.
  package static func suggestions(for name: String, among names: [String], max: Int = 3) -> [String]
  {
    let wanted = Array(name.lowercased())
    return
      names
      .map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
      .filter { $0.distance <= Swift.max(2, Swift.max($0.name.count, wanted.count) / 3) }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(max).map(\.name)
  }

  /// How many letters must be added, removed, changed, or swapped with their neighbour.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return Swift.max(left.count, right.count) }
    var before: [Int] = []
    var above = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        let change = above[column] + (letter == other ? 0 : 1)
        var best = Swift.min(change, above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          best = Swift.min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      before = above
      above = current
    }
    return above[right.count]
  }
}

extension NearestName {
  /// `; did you mean a or b?`, for the end of a sentence; empty when nothing is near.
  package static func question(for name: String, among names: [String]) -> String {
    let near = suggestions(for: name, among: names, max: 2)
    return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
  }
}
