import DataModel

/// What the reader does with each XML attribute and child element of one kind of element: the
/// vocabulary of `contents` files is a set of these tables.
///
/// `Part` is what the element describes, still being filled in.
struct XCRule<Part>: Sendable {
  /// By the XML attribute's name.
  var attributes: [String: XCAttributeRule<Part>]
  /// By the child element's name.
  var children: [String: XCChildRule<Part>] = [:]
}

/// What one XML attribute says about a part.
struct XCAttributeRule<Part>: Sendable {
  /// The feature that the attribute spells; its place is kept for findings.
  var aspect: Aspect?
  /// Takes the value over; nil where the attribute concerns only the editor.
  var apply: Apply?

  typealias Apply =
    @Sendable (inout Part, XMLAttribute, borrowing XCReading)
    throws(SchemaFormatError) -> Void

  /// Concerns only the editor, or code generation: known, and of no consequence.
  static var ofNoConsequence: Self { Self(aspect: nil, apply: nil) }

  /// Text, taken as it stands.
  static func text(
    _ aspect: Aspect?, _ set: @escaping @Sendable (inout Part, String) -> Void
  ) -> Self {
    Self(aspect: aspect) { part, attribute, _ in set(&part, attribute.value) }
  }

  /// Yes or no.
  static func flag(
    _ aspect: Aspect?, _ set: @escaping @Sendable (inout Part, Bool) -> Void
  ) -> Self {
    Self(aspect: aspect) { (part, attribute, reading) throws(SchemaFormatError) in
      guard let flag = XCValue.boolean(attribute.value) else {
        throw reading.error(at: attribute, expected: "YES or NO")
      }
      set(&part, flag)
    }
  }

  /// A number of objects.
  static func count(
    _ aspect: Aspect?, _ set: @escaping @Sendable (inout Part, Int) -> Void
  ) -> Self {
    Self(aspect: aspect) { (part, attribute, reading) throws(SchemaFormatError) in
      guard let count = XCValue.count(attribute.value) else {
        throw reading.error(at: attribute, expected: "a count such as 1")
      }
      set(&part, count)
    }
  }

  /// One of the words of a table.
  static func word<Value: Sendable>(
    _ aspect: Aspect?, of words: [(word: String, value: Value)],
    _ set: @escaping @Sendable (inout Part, Value) -> Void
  ) -> Self {
    Self(aspect: aspect) { (part, attribute, reading) throws(SchemaFormatError) in
      guard let found = words.first(where: { $0.word == attribute.value }) else {
        throw reading.error(
          at: attribute, expected: Self.alternatives(words.map(\.word)))
      }
      set(&part, found.value)
    }
  }

  /// The words as a choice: `a, b or c`.
  private static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}

/// What one child element says about a part.
struct XCChildRule<Part>: Sendable {
  /// The feature that the element spells.
  var aspect: Aspect?
  /// Takes the element over; nil where it concerns only the editor.
  var apply: Apply?

  typealias Apply =
    @Sendable (inout Part, XMLElement, inout XCReading)
    throws(SchemaFormatError) -> Void

  /// Concerns only the editor: known, and of no consequence.
  static var ofNoConsequence: Self { Self(aspect: nil, apply: nil) }

  /// Takes the element over by `apply`.
  static func element(_ aspect: Aspect? = nil, _ apply: @escaping Apply) -> Self {
    Self(aspect: aspect, apply: apply)
  }
}
