import Synchronization

/// The name of a value transformer.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name's text.
  public let rawValue: String
  /// Takes a text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Takes a text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Makes one value of another, and back; for attributes that are `.transformable(by:)`.
///
/// Foundation on Linux has no such class. Subclasses override `transformedValue`, which makes `Data` of a
/// value, and `reverseTransformedValue`.
open class ValueTransformer {
  /// The transformers that are known by name.
  ///
  /// Unchecked: they are handed out as they are, as everywhere; a transformer has to do without state.
  private struct Registered: @unchecked Sendable {
    var transformers: [String: ValueTransformer] = [:]
  }

  private static let registered = Mutex(Registered())

  /// Makes a transformer.
  public required init() {}

  /// What the transformer is known by in schemas.
  class var name: String { String(describing: self) }

  /// The class of what `transformedValue` makes.
  open class func transformedValueClass() -> AnyClass { ValueTransformer.self }

  /// Whether values can be made of what is stored.
  open class func allowsReverseTransformation() -> Bool { true }

  /// Makes a transformer known under a name.
  public static func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    let entry = Registered(
      transformers: transformer.map { [name.rawValue: $0] } ?? [:])
    registered.withLock { $0.transformers[name.rawValue] = entry.transformers[name.rawValue] }
  }

  /// The transformer that is known under a name.
  public static func valueTransformer(forName name: NSValueTransformerName) -> ValueTransformer? {
    registered.withLock { Registered(transformers: $0.transformers) }.transformers[name.rawValue]
  }

  static func valueTransformer(forName name: String) -> ValueTransformer? {
    valueTransformer(forName: NSValueTransformerName(name))
  }

  /// What is stored for a value; nil where it cannot be.
  open func transformedValue(_ value: Any?) -> Any? { nil }

  /// The value that something stored stands for; nil where it cannot be read.
  open func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}
