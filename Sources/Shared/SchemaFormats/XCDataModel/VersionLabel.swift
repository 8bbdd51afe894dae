/// Orders the names of a model's versions by the number at their end.
///
/// `Model` comes before `Model 2`, and `Model 2` before `Model 10`; `books_18` and `ProfilesV3` count
/// as 18 and 3, `Model 1.10` as 1, 10, and `2026-04-15` as 2026, 4, 15. The order of a directory's files means nothing.
package struct VersionLabel: Comparable {
  package let text: String
  /// The numbers at the end that dots, hyphens or low lines join, without leading zeros; empty for a name without one.
  private let numbers: [Substring]

  package init(_ text: String) {
    self.text = text
    let tail = text.reversed().prefix { Self.isJoint($0) || ("0"..."9").contains($0) }
    numbers = text.suffix(tail.count).split(whereSeparator: Self.isJoint)
      .map { $0.drop { $0 == "0" } }
  }

  private static func isJoint(_ mark: Character) -> Bool {
    mark == "." || mark == "-" || mark == "_"
  }

  package static func < (left: VersionLabel, right: VersionLabel) -> Bool {
    for (mine, other) in zip(left.numbers, right.numbers) where mine != other {
      // Numbers of any length: the longer is the greater, digits decide among equals.
      return mine.count == other.count ? mine < other : mine.count < other.count
    }
    guard left.numbers.count == right.numbers.count else {
      return left.numbers.count < right.numbers.count
    }
    return left.text < right.text
  }
}
