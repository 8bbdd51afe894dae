import DataModel
import Foundation
import SchemaFormats

/// How a value in a column is text in an XML store: one row for each type.
struct XMLCell: Sendable {
  /// The type, as the file names it.
  var type: String
  /// The text of a value that is stored as one of this type; nil for others.
  var text: @Sendable (FieldValue) -> String?
  /// The value that the text says; nil for text that this type does not have.
  var value: @Sendable (String) -> FieldValue?

  /// What the columns of attributes hold, by the attribute's type.
  static let typed: [String: XMLCell] = byType([
    integer(.integer16), integer(.integer32), integer(.integer64), boolean, date,
    real(.double), real(.float), text(.string), text(.uri), text(.objectID), text(.decimal), uuid,
    bytes(.binaryData), bytes(.transformable), bytes(.undefined),
  ])

  /// What any column may hold, by SQLite's storage classes.
  static let stored: [String: XMLCell] = byType([
    integer("integer"), real("real"), text("text"), bytes("bytes"),
  ])

  /// The cell type for a value that is not stored as its attribute says.
  static func storage(of value: FieldValue) -> XMLCell? {
    stored.values.first { $0.text(value) != nil }
  }

  private static func byType(_ rows: [XMLCell]) -> [String: XMLCell] {
    Dictionary(rows.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension XMLCell {
  private static func integer(_ type: Schema.AttributeType) -> XMLCell { integer(type.rawValue) }

  private static func integer(_ type: String) -> XMLCell {
    XMLCell(type: type) { value in
      if case .integer(let number) = value { "\(number)" } else { nil }
    } value: { text in
      Int64(text).flatMap { "\($0)" == text ? .integer($0) : nil }
    }
  }

  private static let boolean = XMLCell(type: "boolean") { value in
    switch value {
    case .integer(0): "false"
    case .integer(1): "true"
    default: nil
    }
  } value: { text in
    ["false": .integer(0), "true": .integer(1)][text]
  }

  private static func real(_ type: Schema.AttributeType) -> XMLCell {
    XMLCell(type: type.rawValue) { value in
      isNaN(value) ? "NaN" : realText(value)
    } value: { text in
      text == "NaN" ? .data(storedNaN) : realValue(text)
    }
  }

  private static func real(_ type: String) -> XMLCell {
    XMLCell(type: type, text: realText, value: realValue)
  }

  private static func isNaN(_ value: FieldValue) -> Bool {
    if case .data(storedNaN) = value { true } else { false }
  }

  /// The shortest text that reads as the same number; "inf" and "-inf" for infinities.
  @Sendable private static func realText(_ value: FieldValue) -> String? {
    if case .double(let number) = value, !number.isNaN { "\(number)" } else { nil }
  }

  @Sendable private static func realValue(_ text: String) -> FieldValue? {
    // As written alone: `Double` would also take hexadecimal digits and words for NaN.
    guard let number = Double(text), "\(number)" == text, !number.isNaN else { return nil }
    return .double(number)
  }

  private static func text(_ type: Schema.AttributeType) -> XMLCell { text(type.rawValue) }

  private static func text(_ type: String) -> XMLCell {
    XMLCell(type: type) { value in
      if case .string(let text) = value { text } else { nil }
    } value: {
      .string($0)
    }
  }

  private static func bytes(_ type: Schema.AttributeType) -> XMLCell { bytes(type.rawValue) }

  private static func bytes(_ type: String) -> XMLCell {
    XMLCell(type: type) { value in
      if case .data(let bytes) = value { Data(bytes).base64EncodedString() } else { nil }
    } value: { text in
      guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
        return nil
      }
      return .data([UInt8](data))
    }
  }

  private static let uuid = XMLCell(type: "uuid") { value in
    guard case .data(let bytes) = value, bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(bytes: $0) }?.uuidString
  } value: { text in
    guard let uuid = UUID(uuidString: text), uuid.uuidString == text else { return nil }
    return .data(withUnsafeBytes(of: uuid.uuid) { Array($0) })
  }
}

/// Dates are stored as seconds since 2001. The file says them in UTC wherever that says exactly the
/// same, "2026-05-01T12:00:00.25Z", and as the number of seconds otherwise.
extension XMLCell {
  private static let date = XMLCell(type: "date") { value in
    if isNaN(value) { return "NaN" }
    guard case .double(let seconds) = value, !seconds.isNaN else { return nil }
    return utc(seconds) ?? "\(seconds)"
  } value: { text in
    if text == "NaN" { return .data(storedNaN) }
    return seconds(text).map { .double($0) } ?? realValue(text)
  }

  private static func utc(_ seconds: Double) -> String? {
    let whole = seconds.rounded(.down)
    guard seconds.isFinite,
      let text = WholeSecond(Date(timeIntervalSinceReferenceDate: whole))?.text
    else { return nil }
    let fraction = "\(seconds - whole)"
    guard fraction.hasPrefix("0."), !fraction.contains("e") else { return nil }
    let shown = fraction == "0.0" ? text : "\(text.dropLast())\(fraction.dropFirst())Z"
    // Not all bits of a time near 2001, or of -0.0, can be said so.
    return Self.seconds(shown)?.bitPattern == seconds.bitPattern ? shown : nil
  }

  private static func seconds(_ text: String) -> Double? {
    guard text.hasSuffix("Z") else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2,
      let whole = WholeSecond("\(first)Z")?.date.timeIntervalSinceReferenceDate
    else { return nil }
    guard parts.count == 2, let digits = parts.last else { return whole }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let fraction = Double("0.\(digits)")
    else { return nil }
    return whole + fraction
  }
}
