/// What a derived attribute's expression says.
///
/// The forms are Core Data's: a key path over to-one relationships (`folder.name`), a function of one
/// (`canonical:(name)`, `lowercase:(name)`, `uppercase:(name)`), the time of the save (`now()`), and
/// what a to-many relationship adds up to (`photos.@count`, `photos.@sum.bytes`, also `@min`, `@max` and
/// `@avg`, or `sum:(photos.bytes)` and so on).
struct Derivation: Hashable, Sendable {
  /// What is done with a text.
  enum Function: String, Sendable, CaseIterable {
    /// Without case, accents and width, for searching.
    case canonical
    case lowercase
    case uppercase
  }

  /// What is made of many values.
  enum Aggregate: String, Sendable, CaseIterable {
    case count
    case sum
    case min
    case max
    case average
  }

  enum Kind: Hashable, Sendable {
    case now
    case path(Function?)
    case aggregate(Aggregate)
  }

  let kind: Kind
  /// The names of the properties on the way, the last one an attribute or, for a count, a relationship.
  let path: [String]

  /// The names that the forms have in expressions.
  private static let aggregates: [String: Aggregate] = [
    "count": .count, "sum": .sum, "min": .min, "max": .max, "avg": .average, "average": .average,
  ]

  /// How the forms look, for whoever wrote another one.
  static let forms =
    "name, relationship.name, canonical:(name), lowercase:(name), uppercase:(name), now(), "
    + "relationship.@count, relationship.@sum.name, and @min, @max, @avg"

  /// Reads an expression; nil for one of another form.
  init?(_ text: String) {
    let text = text.trimmed
    if text == "now()" {
      self.init(.now, [])
    } else if let call = Self.call(text) {
      guard let path = Self.names(call.argument) else { return nil }
      if let function = Function(rawValue: call.name) {
        self.init(.path(function), path)
      } else if let aggregate = Self.aggregates[call.name] {
        self.init(aggregate: aggregate, path)
      } else {
        return nil
      }
    } else {
      self.init(keyPath: text)
    }
  }

  private init(_ kind: Kind, _ path: [String]) {
    self.kind = kind
    self.path = path
  }

  private init?(aggregate: Aggregate, _ path: [String]) {
    guard path.count == (aggregate == .count ? 1 : 2) else { return nil }
    self.init(.aggregate(aggregate), path)
  }

  private init?(keyPath text: String) {
    var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let place = parts.firstIndex(where: { $0.hasPrefix("@") }) else {
      guard let path = Self.names(text) else { return nil }
      self.init(.path(nil), path)
      return
    }
    let word = String(parts.remove(at: place).dropFirst())
    // The operator stands behind the relationship.
    guard place == 1, let aggregate = Self.aggregates[word], word != "average",
      let path = Self.names(parts.joined(separator: "."))
    else { return nil }
    self.init(aggregate: aggregate, path)
  }

  /// The parts of `name:(argument)`.
  private static func call(_ text: String) -> (name: String, argument: String)? {
    guard text.hasSuffix(")"), let open = text.firstRange(of: ":(") else { return nil }
    return (String(text[..<open.lowerBound]), String(text[open.upperBound...].dropLast()))
  }

  /// The names of a key path; nil where one is none.
  private static func names(_ text: String) -> [String]? {
    let names = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
    let areNames = names.allSatisfy { name in
      !name.isEmpty && name.first?.isNumber == false
        && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    return areNames ? names.map(String.init) : nil
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
