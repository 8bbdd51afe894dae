public import DataModel

/// An object that a search found.
public struct SearchHit: Hashable, Sendable {
  /// The object.
  public var identity: ObjectIdentity
  /// How well it fits, by the measure BM25: the smaller the better, and below 0.
  public var rank: Double
  /// What the entity shows of its objects in results, where the schema says so and the object has it.
  public var displayName: String?
  /// The attribute that the snippet is from.
  public var property: String
  /// The words around what was found.
  public var snippet: [Part]

  /// A piece of a snippet.
  public struct Part: Hashable, Sendable {
    /// The text.
    public var text: String
    /// Whether it is what was searched for.
    public var isMatch: Bool

    /// Makes a piece.
    public init(_ text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  /// The snippet as text, what was found between two marks: `hit.snippet(marks: "**", "**")`.
  public func snippet(marks open: String, _ close: String) -> String {
    snippet.map { $0.isMatch ? open + $0.text + close : $0.text }.joined()
  }
}

extension SearchHit {
  /// The marks that the index puts around what it found: control characters that texts do not hold.
  static let open = "\u{2}"
  static let close = "\u{3}"

  /// The pieces of a text with marks.
  static func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    var current = ""
    var isMatch = false
    func end() {
      if !current.isEmpty { parts.append(Part(current, isMatch: isMatch)) }
      current = ""
    }
    // By scalars, since a mark may stand before one that combines with it.
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{2}", "\u{3}":
        current = String(scalars)
        scalars = String.UnicodeScalarView()
        end()
        isMatch = scalar == "\u{2}"
      default: scalars.append(scalar)
      }
    }
    current = String(scalars)
    end()
    return parts
  }
}
