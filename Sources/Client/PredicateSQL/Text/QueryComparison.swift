import DataModel
import Foundation

extension QueryParser {
  private static let comparisons: [String: QueryExpression.Comparison] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual,
  ]

  private static let relations: [String: QueryExpression.TextRelation] = [
    "CONTAINS": .contains, "BEGINSWITH": .begins, "ENDSWITH": .ends, "LIKE": .like,
  ]

  /// What follows a path: an operator and a value.
  mutating func comparison(of path: QueryPath) throws(QueryProblem) -> QueryExpression {
    let token = current
    if case .sign(let sign) = token.kind, let comparison = Self.comparisons[sign] {
      _ = advance()
      let options = try options()
      let value = try operand(for: path)
      if options.isEmpty { return try compare(comparison, path, value, at: token) }
      guard path.type == .string, comparison == .equal || comparison == .notEqual else {
        throw expected("an equality of texts before [c] or [d]", at: token)
      }
      let same = QueryExpression.text(.equal, path.expression, value, options)
      return comparison == .equal ? same : .not(same)
    }
    if case .word(let word) = token.kind, let relation = Self.relations[word.uppercased()] {
      _ = advance()
      guard path.type == .string else {
        throw QueryProblem(
          .mismatchedTypes, in: "\(path.expression)",
          "at character \(token.position), \(word) is asked of texts only", at: token.position)
      }
      let options = try options()
      return .text(relation, path.expression, try operand(for: path), options)
    }
    if take(word: "IN") { return .contains(.literal(.list(try list(for: path))), path.expression) }
    if take(word: "BETWEEN") {
      let bounds = try list(for: path)
      guard bounds.count == 2 else { throw expected("two values after BETWEEN", at: token) }
      return .range(
        path.expression, lower: .literal(bounds[0]), upper: .literal(bounds[1]), isClosed: true)
    }
    if path.type == .boolean { return .compare(.equal, path.expression, .literal(.boolean(true))) }
    throw expected("a comparison")
  }

  private func compare(
    _ comparison: QueryExpression.Comparison, _ path: QueryPath, _ value: QueryExpression,
    at token: QueryToken
  ) throws(QueryProblem) -> QueryExpression {
    let isEquality = comparison == .equal || comparison == .notEqual
    guard isEquality || (value != .literal(.null) && path.type?.hasOrder ?? false) else {
      throw QueryProblem(
        .mismatchedTypes, in: "\(path.expression)",
        "at character \(token.position), the values have no order", at: token.position)
    }
    return .compare(comparison, path.expression, value)
  }

  /// `[c]`, `[d]` or `[cd]`.
  private mutating func options() throws(QueryProblem) -> QueryExpression.TextOptions {
    guard take(sign: "[") else { return [] }
    let token = advance()
    guard case .word(let word) = token.kind, Set(word.lowercased()).isSubset(of: ["c", "d"]) else {
      throw expected("c, d or cd", at: token)
    }
    try require(sign: "]")
    var options: QueryExpression.TextOptions = []
    if word.lowercased().contains("c") { options.insert(.caseInsensitive) }
    if word.lowercased().contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }

  /// A value, or another path to one of the same type.
  private mutating func operand(for path: QueryPath) throws(QueryProblem) -> QueryExpression {
    guard case .word(let word) = current.kind, Self.words[word.uppercased()] == nil,
      word.uppercased() != "CAST"
    else { return .literal(try value(for: path)) }
    let token = current
    let other = try self.path(from: .object, entity)
    let bothNumbers = (path.type?.isNumber ?? false) && (other.type?.isNumber ?? false)
    guard
      other.type == path.type || (bothNumbers && path.type != .decimal && other.type != .decimal)
    else {
      throw QueryProblem(
        .mismatchedTypes, in: "\(other.expression)",
        "at character \(token.position), expected a value of type \(path.type?.rawValue ?? "object")",
        at: token.position
      )
    }
    return other.expression
  }

  private mutating func list(for path: QueryPath) throws(QueryProblem) -> [FieldValue] {
    let close = take(sign: "{") ? "}" : take(sign: "(") ? ")" : ""
    guard !close.isEmpty else { throw expected("\"{\"") }
    if take(sign: close) { return [] }
    var values = [try value(for: path)]
    while take(sign: ",") {
      guard values.count < QueryExpression.listMembersMax else {
        throw expected("\(QueryExpression.listMembersMax) members at most")
      }
      values.append(try value(for: path))
    }
    try require(sign: close)
    return values
  }

  private static let words: [String: FieldValue] = [
    "NIL": .null, "NULL": .null, "TRUE": .boolean(true), "YES": .boolean(true),
    "FALSE": .boolean(false), "NO": .boolean(false),
  ]

  /// A value of the path's type.
  private mutating func value(for path: QueryPath) throws(QueryProblem) -> FieldValue {
    if take(word: "CAST") { return try cast(for: path) }
    let isNegative = take(sign: "-")
    let token = advance()
    let type = path.type
    switch token.kind {
    case .word(let word) where !isNegative:
      guard let value = Self.words[word.uppercased()] else { break }
      if value == .null || type == .boolean { return value }
    case .number(let digits):
      let text = (isNegative ? "-" : "") + digits
      if let value = type?.value(ofNumber: text) { return value }
    case .text(let text) where !isNegative:
      if let value = type?.value(ofText: text) { return value }
    default: break
    }
    throw expected("a value of type \(type?.rawValue ?? "object")", at: token)
  }

  /// `CAST(seconds, 'NSDate')`: seconds after the reference date.
  private mutating func cast(for path: QueryPath) throws(QueryProblem) -> FieldValue {
    try require(sign: "(")
    let isNegative = take(sign: "-")
    let token = advance()
    guard path.type == .date, case .number(let digits) = token.kind, let seconds = Double(digits)
    else { throw expected("the seconds of a date", at: token) }
    try require(sign: ",")
    let type = advance()
    guard case .text(let name) = type.kind, name == "NSDate" || name == "Date" else {
      throw expected("'NSDate'", at: type)
    }
    try require(sign: ")")
    return .date(Date(timeIntervalSinceReferenceDate: isNegative ? -seconds : seconds))
  }
}

extension Schema.AttributeType {
  /// Whether values of this type come before or after each other.
  fileprivate var hasOrder: Bool { isNumber || self == .string || self == .date || self == .uuid }

  fileprivate func value(ofNumber text: String) -> FieldValue? {
    if isInteger { return Int64(text).map { .integer($0) } }
    switch self {
    case .double, .float: return Double(text).map { .double($0) }
    case .decimal: return Decimal(string: text, locale: nil).map { .decimal($0) }
    case .boolean: return text == "1" ? .boolean(true) : text == "0" ? .boolean(false) : nil
    default: return nil
    }
  }

  fileprivate func value(ofText text: String) -> FieldValue? {
    switch self {
    case .string: .string(text)
    case .uri: .uri(text)
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .date: Self.date(text).map { .date($0) }
    case .objectID: ObjectIdentity(text).map { .objectID($0) }
    default: nil
    }
  }

  /// `2026-01-31`, or with a time and a zone as ISO 8601 writes them.
  private static func date(_ text: String) -> Date? {
    let full = text.contains("T") ? text : "\(text)T00:00:00Z"
    return (try? Date(full, strategy: .iso8601))
      ?? (try? Date(full, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}
