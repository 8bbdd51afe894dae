import PredicateSQL
import Synchronization

/// A text that is compared in an order that is not its own: a sort descriptor takes whatever is comparable.
struct OrderedText: Comparable {
  let text: String
  let texts: TextOrder

  static func < (first: Self, second: Self) -> Bool {
    first.texts.order(first.text, second.text) < 0
  }
}

extension String {
  /// The text as it is compared in an order.
  subscript(in texts: TextOrder) -> OrderedText { OrderedText(text: self, texts: texts) }
}

extension String? {
  /// The text as it is compared in an order; nil where there is none.
  subscript(in texts: TextOrder) -> OrderedText? { map { $0[in: texts] } }
}

/// Remembers which text is behind a key path to an ordered one: a key path does not tell what it is made of.
enum OrderedTexts {
  /// How many key paths are remembered; what is sorted by others is sorted in memory.
  static let pathsMax = 10_000

  private static let known = Mutex<[Compared: Meaning]>([:])

  /// Unchecked, as all key paths here: they are compared only.
  private struct Compared: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
  }

  private struct Meaning: @unchecked Sendable {
    let path: AnyKeyPath
    let order: TextOrder
  }

  /// The text and the order of a key path to an ordered text; nil for any other.
  static func meaning(of path: AnyKeyPath) -> (path: AnyKeyPath, order: TextOrder)? {
    let valueType = type(of: path).valueType
    guard valueType == OrderedText.self || valueType == OrderedText?.self else { return nil }
    let asked = Compared(path: path)
    return known.withLock { $0[asked] }.map { ($0.path, $0.order) }
  }

  /// `path`, after it was remembered that it is made of `text` and `order`.
  static func noted<Root, Value>(
    _ path: KeyPath<Root, Value>, _ text: AnyKeyPath, _ order: TextOrder
  ) -> any KeyPath<Root, Value> & Sendable {
    let (compared, meaning) = (Compared(path: path), Meaning(path: text, order: order))
    known.withLock { known in
      if known.count < pathsMax { known[compared] = meaning }
    }
    // A key path made of two that are Sendable is it too, and differs from the type that says so in nothing.
    return unsafeBitCast(path, to: (any KeyPath<Root, Value> & Sendable).self)
  }
}
