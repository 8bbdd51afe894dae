/// Orders the names of a model's versions by the number at their end.
///
/// `Model` comes before `Model 2`, and `Model 2` before `Model 10`; `books_18` and `ProfilesV3` count
/// as 18 and 3, and `Model 1.10` as 1, 10. The order of a directory's files means nothing.
package struct VersionLabel: Comparable {
  package let text: String
  /// The numbers at the end that dots join, without leading zeros; empty for a name without one.
  private let numbers: [Substring]

  package init(_ text: String) {
    self.text = text
    let tail = text.reversed().prefix { $0 == "." || ("0"..."9").contains($0) }
    numbers = text.suffix(tail.count).split(separator: ".").map { $0.drop { $0 == "0" } }
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
