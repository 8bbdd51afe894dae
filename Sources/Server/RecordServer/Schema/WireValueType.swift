public import DataModel

/// What a value on the wire tells of its type.
public struct WireValueType: Hashable, Sendable {
  /// What one value, or each element of a list, is.
  public enum Element: Hashable, Sendable {
    /// The type that the value's tag states.
    case typed(RecordSchema.FieldType)
    /// A text without a tag.
    case text
    /// A whole number without a tag.
    case integer
    /// A number with a fraction, without a tag.
    case fraction
    /// A truth value without a tag.
    case truth
    /// An object without a tag that names a record.
    case reference
    /// An object without a tag that has a latitude.
    case location
    /// An object without a tag that describes a file.
    case asset
    /// Null, or, as a list, an empty one without a tag.
    case absent
  }

  /// What the value is, or what its elements are.
  public var element: Element
  /// Whether it is a list.
  public var isList: Bool
  /// Whether it is sent as encrypted.
  public var isEncrypted: Bool

  /// Makes a type from its parts.
  public init(_ element: Element, isList: Bool = false, isEncrypted: Bool = false) {
    self.element = element
    self.isList = isList
    self.isEncrypted = isEncrypted
  }
}

extension WireValueType.Element {
  /// Every kind of value.
  static let all: [WireValueType.Element] =
    RecordSchema.FieldType.allCases.map { .typed($0) }
    + [.text, .integer, .fraction, .truth, .reference, .location, .asset, .absent]

  /// What a field becomes when such a value creates it; nil for one that tells nothing.
  ///
  /// The schema language keeps NUMBER for fields that a save created from a number without a tag;
  /// the first value settles its kind. Truth values are integers on this wire.
  var created: FieldShape? {
    switch self {
    case .typed(let type): FieldShape(type)
    case .text: FieldShape(.string)
    case .integer: FieldShape(.number, preferredNumber: .int64)
    case .fraction: FieldShape(.number, preferredNumber: .double)
    case .truth: FieldShape(.int64)
    case .reference: FieldShape(.reference)
    case .location: FieldShape(.location)
    case .asset: FieldShape(.asset)
    case .absent: nil
    }
  }
}

extension WireValueType {
  /// The shape of the field that such a value creates; nil for one that tells nothing.
  ///
  /// The language has no encrypted NUMBER: there the number's own kind is the type.
  var created: FieldShape? {
    guard var shape = element.created else { return nil }
    shape.isList = isList
    shape.isEncrypted = isEncrypted
    if isEncrypted, let kind = shape.preferredNumber {
      shape.type = kind
      shape.preferredNumber = nil
    }
    return shape
  }

  /// The type as the protocol names it.
  var wireName: String { created?.wireName ?? (isList ? "UNKNOWN_LIST" : "UNKNOWN") }
}

extension FieldShape {
  /// The kinds of value that a field of this shape takes.
  ///
  /// What has a tag must have the field's own type; what has none is read as the field's type where
  /// it can be.
  var taken: Set<WireValueType.Element> {
    if type == .number { return Self.numbersTaken[preferredNumber] ?? [] }
    return Set([.typed(type), .absent] + (Self.untaggedTaken[type] ?? []))
  }

  private static let untaggedTaken: [RecordSchema.FieldType: [WireValueType.Element]] = [
    .string: [.text], .bytes: [.text], .int64: [.integer, .truth], .double: [.integer, .fraction],
    .timestamp: [.integer], .reference: [.reference], .location: [.location], .asset: [.asset],
  ]

  private static let numbersTaken: [RecordSchema.FieldType?: Set<WireValueType.Element>] = [
    .int64: [.typed(.int64), .typed(.number), .integer, .truth, .absent],
    .double: [
      .typed(.double), .typed(.int64), .typed(.number), .integer, .fraction, .absent,
    ],
    nil: [
      .typed(.double), .typed(.int64), .typed(.number), .integer, .fraction, .truth, .absent,
    ],
  ]
}

extension WireValueType.Element {
  /// The kind that a number of this sort settles an undecided field on; nil when it tells none.
  var settledNumber: RecordSchema.FieldType? {
    switch self {
    case .integer, .truth, .typed(.int64): .int64
    case .fraction, .typed(.double): .double
    default: nil
    }
  }
}
