public import Foundation
import PredicateSQL

// The orders of texts that Foundation has on other platforms and lacks on Linux.
#if !canImport(Darwin)

  /// Compares texts as people read them.
  ///
  /// ```swift
  /// FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
  /// ```
  ///
  /// It has the names of `String.StandardComparator`, which on Linux knows `.lexical` alone. The order is the
  /// same for every language.
  public struct TextComparator: SortComparator, Codable, Sendable {
    let texts: TextOrder
    /// Whether small texts come first.
    public var order: SortOrder

    /// Compares as another comparator does, in the order that is given.
    public init(_ base: TextComparator, order: SortOrder = .forward) {
      self.init(base.texts, order)
    }

    private init(_ texts: TextOrder, _ order: SortOrder = .forward) {
      self.texts = texts
      self.order = order
    }

    /// As in a list of files: neither case nor marks count but where all else is equal, and numbers are in the
    /// order of what they count.
    public static let localizedStandard = TextComparator(.standard)

    /// As in a dictionary: neither case nor marks count but where all else is equal.
    public static let localized = TextComparator(.dictionary)

    /// The order of two texts.
    public func compare(_ first: String, _ second: String) -> ComparisonResult {
      let number = texts.order(first, second)
      if number == 0 { return .orderedSame }
      return (number < 0) == (order == .forward) ? .orderedAscending : .orderedDescending
    }
  }

  extension SortComparator where Self == TextComparator {
    /// As in a list of files.
    public static var localizedStandard: TextComparator { .localizedStandard }
    /// As in a dictionary.
    public static var localized: TextComparator { .localized }
  }

  extension String.StandardComparator {
    /// As in a list of files.
    public static var localizedStandard: TextComparator { .localizedStandard }
    /// As in a dictionary.
    public static var localized: TextComparator { .localized }
  }

  extension SortDescriptor {
    /// Sorts by a text, as `comparator` compares.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: TextComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by a text that may be missing, as `comparator` compares.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: TextComparator
    ) {
      self.init(keyPath, comparator: comparator, order: comparator.order)
    }

    /// Sorts by a text, as `comparator` compares, in an order that is not the comparator's.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: TextComparator,
      order: SortOrder
    ) {
      let path = keyPath.appending(path: \String.[in: comparator.texts])
      self.init(OrderedTexts.noted(path, keyPath, comparator.texts), order: order)
    }

    /// Sorts by a text that may be missing, as `comparator` compares, in an order that is not the comparator's.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: TextComparator,
      order: SortOrder
    ) {
      let path = keyPath.appending(path: \String?.[in: comparator.texts])
      self.init(OrderedTexts.noted(path, keyPath, comparator.texts), order: order)
    }
  }

#endif
