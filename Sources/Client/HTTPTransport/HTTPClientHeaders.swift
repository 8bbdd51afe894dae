/// Headers in their order, looked up by names in any case.
public struct HTTPClientHeaders: Hashable, Sendable {
  /// A name and its value.
  public struct Field: Hashable, Sendable {
    /// The name, as it is spelled.
    public var name: String
    /// The value, without blanks around it.
    public var value: String

    /// Puts a header together.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All of them.
  public private(set) var fields: [Field] = []

  /// Makes an empty list.
  public init() {}

  /// The first value under a name; nil without one.
  ///
  /// Setting replaces all values of the name.
  public subscript(name: String) -> String? {
    get { fields.first { Self.areSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.areSame($0.name, name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// All values under a name.
  public func values(of name: String) -> [String] {
    fields.filter { Self.areSame($0.name, name) }.map(\.value)
  }

  /// Adds a header at the end.
  public mutating func add(_ name: String, _ value: String) { fields.append(Field(name, value)) }

  /// Adds to the last value what stood in a line of its own: obsolete, and still sent by some.
  mutating func continueLast(with text: String) {
    guard let last = fields.indices.last else { return }
    fields[last].value += fields[last].value.isEmpty ? text : " \(text)"
  }

  /// Whether two names are one: case is of no account, and only in ASCII.
  private static func areSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8) { lowered($0) == lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

extension HTTPClientHeaders: ExpressibleByDictionaryLiteral {
  /// Takes headers in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}
