public import DataModel

/// What of a field is fixed for ever once it is promoted: its type, list or not, encrypted or not.
public struct FieldShape: Hashable, Sendable {
  /// What the values are.
  public var type: RecordSchema.FieldType
  /// Whether the field holds a list of such values.
  public var isList: Bool
  /// Whether the server sees only an encrypted form.
  public var isEncrypted: Bool
  /// For a `number`, the kind that it settled on.
  public var preferredNumber: RecordSchema.FieldType?

  /// Makes a shape.
  public init(
    _ type: RecordSchema.FieldType, isList: Bool = false, isEncrypted: Bool = false,
    preferredNumber: RecordSchema.FieldType? = nil
  ) {
    self.type = type
    self.isList = isList
    self.isEncrypted = isEncrypted
    self.preferredNumber = preferredNumber
  }
}

extension RecordSchema.Field {
  /// What of the field is fixed for ever once it is promoted.
  public var shape: FieldShape {
    FieldShape(
      type, isList: isList, isEncrypted: isEncrypted, preferredNumber: preferredNumber)
  }
}

extension FieldShape {
  /// Whether the first number that is saved still decides what the field holds.
  public var isUnsettled: Bool { type == .number && preferredNumber == nil }

  /// The shape as the protocol names the type of such a value: `ENCRYPTED_STRING`, `INT64_LIST`.
  public var wireName: String {
    let kind = type == .number ? preferredNumber ?? .number : type
    let word = kind == .asset ? "ASSETID" : kind.rawValue
    return (isEncrypted ? "ENCRYPTED_" : "") + word + (isList ? "_LIST" : "")
  }
}

extension FieldShape: CustomStringConvertible {
  /// The shape in the schema language: `LIST<ENCRYPTED STRING>`.
  public var description: String {
    var words = (isEncrypted ? "ENCRYPTED " : "") + type.rawValue
    if let preferredNumber { words += " PREFERRED AS \(preferredNumber.rawValue)" }
    return isList ? "LIST<\(words)>" : words
  }

  /// Reads what `description` gives; nil for any other text.
  package init?(_ text: String) {
    guard let shape = Self.byDescription[text] else { return nil }
    self = shape
  }

  /// Every shape that a field can have.
  package static let all: [FieldShape] = RecordSchema.FieldType.allCases.flatMap { type in
    let preferences: [RecordSchema.FieldType?] = type == .number ? [nil, .double, .int64] : [nil]
    return preferences.flatMap { preferred in
      (type.canBeEncrypted ? [false, true] : [false]).flatMap { isEncrypted in
        [false, true].map { isList in
          FieldShape(
            type, isList: isList, isEncrypted: isEncrypted, preferredNumber: preferred)
        }
      }
    }
  }

  private static let byDescription = Dictionary(
    all.map { ($0.description, $0) }, uniquingKeysWith: { first, _ in first })
}
