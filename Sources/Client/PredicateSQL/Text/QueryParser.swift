public import DataModel

extension QueryExpression {
  /// How long the text of a query may be.
  public static let textBytesMax = 64 * 1024
  /// How many members a list in a query's text may have.
  public static let listMembersMax = 10_000
  /// How deep conditions may be nested in a query's text.
  public static let textDepthMax = 40

  /// Reads a query in the common part of NSPredicate's format, such as
  /// `flightTime > 2 AND pilot.name CONTAINS[cd] 'ann'`.
  ///
  /// Comparisons with `==`, `!=`, `<`, `<=`, `>`, `>=`, `BETWEEN {a, b}`, `IN {…}`, `BEGINSWITH`,
  /// `CONTAINS`, `ENDSWITH` and `LIKE`, with `[c]`, `[d]` and `[cd]`; `AND`, `OR`, `NOT`; `ANY`, `ALL`
  /// and `NONE` before a path through a to-many relationship; `rel.@count`; `NIL`, `TRUE` and `FALSE`.
  /// Values are checked against the schema: a date is ISO text, a UUID its text.
  public init(
    parsing text: String, entity name: String, schema: Schema
  ) throws(QueryProblem) {
    guard let entity = schema.entity(name) else {
      throw QueryProblem(.unknownEntity, in: name, "the schema has no such entity")
    }
    var parser = QueryParser(
      tokens: try QueryLexer.tokens(of: text), schema: schema, entity: entity)
    self = try parser.query()
  }
}

extension QueryExpression {
  /// Reads a path to a value, such as `pilot.name`, `pilot` or `entries.@count`; one that ends at several
  /// objects stands for their number.
  public init(
    parsingPath text: String, entity name: String, schema: Schema
  ) throws(QueryProblem) {
    guard let entity = schema.entity(name) else {
      throw QueryProblem(.unknownEntity, in: name, "the schema has no such entity")
    }
    var parser = QueryParser(
      tokens: try QueryLexer.tokens(of: text), schema: schema, entity: entity)
    let path = try parser.path(from: .object, entity)
    guard parser.current.kind == .end else { throw parser.expected("the end") }
    self = path.rest == nil ? path.expression : .count(path.expression)
  }
}

/// Reads tokens; one token of look-ahead decides.
struct QueryParser {
  private let tokens: [QueryToken]
  private var place = 0
  private var depth = 0
  let schema: Schema
  let entity: Schema.Entity

  init(tokens: [QueryToken], schema: Schema, entity: Schema.Entity) {
    self.tokens = tokens
    self.schema = schema
    self.entity = entity
  }

  var current: QueryToken { tokens[min(place, tokens.count - 1)] }

  /// The kind of a later token.
  func peek(_ distance: Int) -> QueryToken.Kind {
    tokens[min(place + distance, tokens.count - 1)].kind
  }

  mutating func query() throws(QueryProblem) -> QueryExpression {
    let expression = try disjunction()
    guard current.kind == .end else { throw expected("AND, OR or the end") }
    return expression
  }

  /// Takes the current token if it is that word, whatever its case.
  mutating func take(word: String) -> Bool {
    guard case .word(let found) = current.kind, found.uppercased() == word else { return false }
    place += 1
    return true
  }

  mutating func take(sign: String) -> Bool {
    guard current.kind == .sign(sign) else { return false }
    place += 1
    return true
  }

  mutating func advance() -> QueryToken {
    let token = current
    place += 1
    return token
  }

  func expected(_ what: String, at token: QueryToken? = nil) -> QueryProblem {
    let token = token ?? current
    return QueryProblem(
      .malformedText, in: token.shown,
      "at character \(token.position), expected \(what) instead of", at: token.position)
  }

  mutating func require(sign: String) throws(QueryProblem) {
    if !take(sign: sign) { throw expected("\"\(sign)\"") }
  }

  private mutating func disjunction() throws(QueryProblem) -> QueryExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= QueryExpression.textDepthMax else {
      throw QueryProblem(
        .tooDeep, in: current.shown,
        "conditions are nested \(QueryExpression.textDepthMax) deep at most")
    }
    var parts = [try conjunction()]
    while take(word: "OR") || take(sign: "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(QueryProblem) -> QueryExpression {
    var parts = [try negation()]
    while take(word: "AND") || take(sign: "&&") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(QueryProblem) -> QueryExpression {
    var isNegated = false
    while take(word: "NOT") || take(sign: "!") { isNegated.toggle() }
    let part: QueryExpression
    if take(sign: "(") {
      part = try disjunction()
      try require(sign: ")")
    } else {
      part = try condition()
    }
    return isNegated ? .not(part) : part
  }

  private static let constants: [String: Bool] = ["TRUEPREDICATE": true, "FALSEPREDICATE": false]

  private mutating func condition() throws(QueryProblem) -> QueryExpression {
    for (word, value) in Self.constants where take(word: word) { return .literal(.boolean(value)) }
    if take(word: "ANY") || take(word: "SOME") { return try quantified { .exists($0, $1, $2) } }
    if take(word: "ALL") { return try quantified { .all($0, $1, $2) } }
    if take(word: "NONE") { return try quantified { .not(.exists($0, $1, $2)) } }
    let path = try path(from: .object, entity)
    guard path.rest == nil else {
      throw QueryProblem(
        .mismatchedTypes, in: "\(path.expression)",
        "the relationship holds several objects: ask ANY, ALL or NONE of them, or .@count")
    }
    return try comparison(of: path)
  }

  private mutating func quantified(
    _ make: (QueryExpression, Int, QueryExpression) -> QueryExpression
  ) throws(QueryProblem) -> QueryExpression {
    let start = current
    let path = try path(from: .object, entity)
    guard let member = path.rest else { throw expected("a to-many relationship", at: start) }
    var inner = try self.path(from: .variable(1), member, continues: true)
    guard inner.rest == nil else {
      throw expected("a path through one to-many relationship", at: start)
    }
    inner.type = inner.type ?? .objectID
    return make(path.expression, 1, try comparison(of: inner))
  }
}
