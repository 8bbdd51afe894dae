import DataModel
import FoundationEssentials
import JSONStream

/// Default values as JSON.
///
/// A value of its attribute's own kind is written plainly: `0`, `"text"`, `"2026-05-01T12:00:00Z"`.
/// Any other names its kind, as in `{"string": "soon"}` for a date's default that is no date: so what
/// was written is read back as exactly what it was.
enum FieldValueJSON {
  /// The kinds whose JSON is no object: an object always names a kind.
  static let plainKinds: Set<FieldValue.Kind> = [
    .boolean, .integer, .double, .decimal, .string, .date, .data, .uuid, .uri,
  ]

  static func json(of value: FieldValue, as kind: FieldValue.Kind?) -> JSONValue {
    if case .null = value { return JSONValue(.null) }
    let plain = plainJSON(of: value)
    if value.kind == kind, plainKinds.contains(value.kind) { return plain }
    return JSONValue(.object([JSONMember(value.kind.rawValue, plain)]))
  }

  private static func plainJSON(of value: FieldValue) -> JSONValue {
    switch value {
    case .null: JSONValue(.null)
    case .boolean(let truth): JSONValue(.boolean(truth))
    case .integer(let number): JSONValue(.number(.integer(number)))
    case .double(let number): json(of: number)
    case .decimal(let number): text(number.description)
    case .string(let string), .uri(let string): text(string)
    case .date(let date):
      WholeSecond(date).map { text($0.text) } ?? json(of: date.timeIntervalSinceReferenceDate)
    case .data(let bytes): text(Data(bytes).base64EncodedString())
    case .uuid(let uuid): text(uuid.uuidString)
    case .objectID(let identity):
      JSONValue(
        .object([
          JSONMember("store", text(identity.store.uuidString)),
          JSONMember("entity", text(identity.entity)),
          JSONMember("key", JSONValue(.number(.integer(identity.key)))),
        ]))
    case .composite(let members):
      JSONValue(
        .object(
          members.sorted { $0.key.precedesInBytes($1.key) }.map {
            JSONMember($0.key, json(of: $0.value, as: nil))
          }
        ))
    case .list(let values): JSONValue(.array(values.map { json(of: $0, as: nil) }))
    }
  }

  private static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }

  /// A number; as a word where JSON has no number for it.
  private static func json(of number: Double) -> JSONValue {
    if let word = notFinite.first(where: { $0.matches(number) })?.word { return text(word) }
    return JSONValue(.number(.double(number)))
  }

  /// The doubles that no JSON number says.
  static let notFinite: [(word: String, value: Double, matches: @Sendable (Double) -> Bool)] = [
    ("nan", .nan, { $0.isNaN }), ("infinity", .infinity, { $0 == .infinity }),
    ("-infinity", -.infinity, { $0 == -.infinity }),
  ]
}
