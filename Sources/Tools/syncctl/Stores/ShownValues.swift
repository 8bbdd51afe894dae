import CommandKit
import DataModel
import FoundationEssentials
import JSONStream
import ObjectStore

extension Date {
  /// The date in ISO 8601, with a fraction of a second where it has one, or its seconds where it has no
  /// year of four digits.
  ///
  /// NB: Foundation traps when it is asked for the calendar date of a NaN, an infinity or a date far
  /// away.
  var shown: String {
    let seconds = timeIntervalSinceReferenceDate
    guard seconds > -6.3e10 && seconds < 2.5e11 else {
      return "\(seconds) seconds after 2001-01-01T00:00:00Z"
    }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded())
    return style.format(self)
  }

  /// Reads a day, or a moment in ISO 8601; days begin at midnight in UTC.
  init?(typed text: String) {
    let styles = [
      Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
      Date.ISO8601FormatStyle().year().month().day(),
    ]
    // A style accepts what only begins well, so the text has to come out as it went in.
    let read = styles.lazy.compactMap { style in
      (try? style.parse(text)).flatMap { style.format($0) == text ? $0 : nil }
    }
    guard let date = read.first else { return nil }
    self = date
  }
}

extension ObjectIdentity {
  /// The object as listings name it, `LogEntry/3`.
  var short: String { "\(entity)/\(key)" }
}

extension FieldValue {
  /// The value as a cell of a table shows it: in one line, and text without quotes.
  var cell: String {
    switch self {
    case .null: "–"
    case .string(let text): text.oneLine
    case .uri(let text): text.oneLine
    case .objectID(let identity): identity.short
    case .date(let date): date.shown
    default: shown.oneLine
    }
  }

  /// The value as a line of its own shows it: text in quotes.
  var line: String {
    switch self {
    case .string, .composite, .list: shown.oneLine
    default: cell
    }
  }

  /// The value in JSON: what JSON has no form for is text, bytes are Base64.
  var json: JSONValue {
    switch self {
    case .null: nil
    case .boolean(let value): JSONValue(.boolean(value))
    case .integer(let value): JSONValue(.number(.integer(value)))
    case .double(let value) where value.isFinite: JSONValue(.number(.double(value)))
    case .double(let value): .string("\(value)")
    case .data(let bytes): .string(Data(bytes).base64EncodedString())
    case .string(let text), .uri(let text): .string(text)
    case .date, .decimal, .uuid, .objectID: .string(cell)
    case .composite(let members):
      JSONValue(
        .object(members.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.json) }))
    case .list(let values): JSONValue(.array(values.map(\.json)))
    }
  }
}

extension String {
  /// The text with its line ends and tabs spelled out.
  var oneLine: String {
    var line = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// The text, or its beginning where it is longer.
  func cut(to length: Int) -> String {
    count > length ? prefix(max(0, length - 1)) + "…" : self
  }
}

extension JSONValue {
  static func integer(_ number: Int64) -> JSONValue { JSONValue(.number(.integer(number))) }
  static func list(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }
  static func list(_ texts: [String]) -> JSONValue { JSONValue(.array(texts.map { .string($0) })) }
}

extension Invocation {
  /// The number that an option has; nil without the option.
  func count(_ option: String, atLeast least: Int = 0) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), number >= least else {
      throw UsageError("--\(option) cannot be \"\(text)\"", fix: "a number, \(least) or more")
    }
    return number
  }
}

extension Store {
  /// The layout of an entity that somebody has typed.
  func entity(typed name: String) throws(StoreError) -> EntityLayout {
    if let entity = layout.entity(name) { return entity }
    let names = layout.entities.map(\.name)
    throw StoreError(
      .unknownEntity, name, "there is no such entity in the store",
      fix: nearestName(to: name, among: names).map { "did you mean \($0)?" }
        ?? "one of \(names.joined(separator: ", "))")
  }
}
