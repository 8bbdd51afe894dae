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
    case .date(let value): value.ISO8601Format()
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
