/// The headers of a response, in the order in which they are sent.
public struct HTTPResponseHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A name and its value.
  public struct Field: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Whether both can stand in a head without beginning something else there.
    var isValid: Bool {
      !name.utf8.isEmpty && ASCII.all(name, ASCII.isToken) && ASCII.areFieldValue(value)
    }
  }

  /// All of them.
  public private(set) var fields: [Field] = []

  /// How many headers come to those of a literal before a response is sent, more often than not.
  private static let addedLater = 4

  /// Starts without any.
  public init() {}

  /// Takes names and values in their order; names may repeat.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields.reserveCapacity(elements.count + Self.addedLater)
    for (name, value) in elements { fields.append(Field(name: name, value: value)) }
  }

  /// Adds a header after the others.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The first value under a name in any case; setting one replaces all of that name.
  public subscript(name: String) -> String? {
    get { fields.first { ASCII.equal($0.name.utf8, name.utf8) }?.value }
    set {
      fields.removeAll { ASCII.equal($0.name.utf8, name.utf8) }
      if let newValue { append(name, newValue) }
    }
  }
}
