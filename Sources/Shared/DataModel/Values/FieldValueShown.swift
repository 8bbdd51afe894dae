import FoundationEssentials

extension FieldValue {
  /// The value as a message or a listing shows it: text in quotes, bytes by their count.
  public var shown: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .double(let value): String(value)
    case .decimal(let value): value.description
    case .string(let value): "\"\(value)\""
    case .date(let value): value.shown
    case .data(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString
    case .uri(let value): "<\(value)>"
    case .objectID(let value): value.description
    case .composite(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }
        .joined(separator: ", ") + "}"
    case .list(let values): "[\(values.map(\.shown).joined(separator: ", "))]"
    }
  }
}

extension Date {
  /// The date in ISO 8601, or its seconds where it has no year of four digits.
  ///
  /// NB: Foundation traps when it is asked for the calendar date of a NaN, an infinity or a date far
  /// away.
  fileprivate var shown: String {
    let seconds = timeIntervalSinceReferenceDate
    return seconds > -6.3e10 && seconds < 2.5e11
      ? ISO8601Format() : "\(seconds) seconds after 2001-01-01T00:00:00Z"
  }
}
