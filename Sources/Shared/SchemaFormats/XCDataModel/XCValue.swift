import DataModel
import FoundationEssentials

/// How `contents` files spell values.
enum XCValue {
  private static let booleans: [String: Bool] = [
    "yes": true, "true": true, "1": true, "no": false, "false": false, "0": false,
  ]

  /// Yes or no.
  ///
  /// The editor writes YES and NO; other writers of the format spell it in other ways.
  static func boolean(_ text: String) -> Bool? { booleans[text] ?? booleans[text.lowercased()] }

  /// A number of objects.
  static func count(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(text) else { return nil }
    return count
  }

  /// Text that says something; nil for none, which the editor writes as an empty value.
  static func given(_ text: String) -> String? { text.isEmpty ? nil : text }

  /// A class name without the leading dot by which the editor means "the module being built".
  static func className(_ text: String) -> String? {
    given(text.hasPrefix(".") ? String(text.dropFirst()) : text)
  }

  /// A value as a message shows it: in quotes, on one line, and cut where it is long.
  static func shown(_ text: String) -> String {
    let start = text.prefix(shownCharactersMax).map { $0.isNewline ? " " : String($0) }.joined()
    return text.count > shownCharactersMax ? "\"\(start)…\"" : "\"\(start)\""
  }

  private static let shownCharactersMax = 60

  /// The names of a comma-separated list.
  static func names(_ text: String) -> [String] {
    text.split(separator: ",").compactMap { part in
      let name = part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
      return name.isEmpty ? nil : String(name)
    }
  }
}

extension XCValue {
  /// The default that `text` spells for an attribute of `type`.
  ///
  /// Text that is no value of the type is kept as text, so that a lint can name it.
  static func defaultValue(_ text: String, type: Schema.AttributeType) -> FieldValue {
    guard let kind = type.valueKind, let read = readers[kind], let value = read(text, type) else {
      return .string(text)
    }
    return value
  }

  /// The point in time that a number of seconds since the start of 2001, in UTC, spells.
  static func defaultDate(_ text: String) -> FieldValue {
    number(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .string(text)
  }

  private typealias Reader = @Sendable (String, Schema.AttributeType) -> FieldValue?

  /// Dates are missing here: their defaults have an XML attribute of their own.
  private static let readers: [FieldValue.Kind: Reader] = [
    .boolean: { text, _ in boolean(text).map { .boolean($0) } },
    .integer: { text, type in integer(text, type: type).map { .integer($0) } },
    .double: { text, type in
      number(text).map { .double(type == .float ? Double(Float($0)) : $0) }
    },
    .decimal: { text, _ in
      text.isPlainNumber ? Decimal(string: text).map { .decimal($0) } : nil
    },
    .uuid: { text, _ in UUID(uuidString: text).map { .uuid($0) } },
    .uri: { text, _ in .uri(text) },
  ]

  private static let ranges: [Schema.AttributeType: ClosedRange<Int64>] = [
    .integer16: Int64(Int16.min)...Int64(Int16.max),
    .integer32: Int64(Int32.min)...Int64(Int32.max),
  ]

  /// A whole number that `type` can hold; "0.0", which older editors wrote, is one.
  private static func integer(_ text: String, type: Schema.AttributeType) -> Int64? {
    guard text.isPlainNumber, let value = Int64(text) ?? number(text).flatMap(Int64.init(exactly:))
    else { return nil }
    return ranges[type]?.contains(value) == false ? nil : value
  }

  private static func number(_ text: String) -> Double? { text.plainNumber }
}
