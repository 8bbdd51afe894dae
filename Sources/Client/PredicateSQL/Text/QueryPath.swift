import DataModel

/// A path that was read: what it means, and what kind of value is at its end.
struct QueryPath {
  var expression: QueryExpression
  /// The type of the value; nil for an object or a collection.
  var type: Schema.AttributeType?
  /// The entity of the members, where the path ends at a to-many relationship.
  var rest: Schema.Entity?
}

extension QueryParser {
  /// Reads names with dots between them, up to a value or a to-many relationship.
  ///
  /// `continues` says that the path goes on where another stopped: it may be over, or begin with a dot.
  mutating func path(
    from base: QueryExpression, _ start: Schema.Entity, continues: Bool = false
  ) throws(QueryProblem) -> QueryPath {
    var path = QueryPath(expression: base, type: .objectID)
    var entity: Schema.Entity? = start
    if continues && !take(sign: ".") { return path }
    while true {
      let token = current
      guard case .word(let word) = advance().kind else {
        throw expected("a property of \(start.name)", at: token)
      }
      if word.uppercased() == "SELF" && path.expression == base { return path }
      guard let owner = entity else { throw expected("nothing more of this path", at: token) }
      if let relationship = schema.allRelationships(of: owner).first(where: { $0.name == word }) {
        path.expression = .member(path.expression, word)
        entity = schema.entity(relationship.destination)
        if relationship.isToMany {
          if try takeCount(after: &path) { return path }
          path.rest = entity
          path.type = nil
          return path
        }
      } else if let attribute = schema.allAttributes(of: owner).first(where: { $0.name == word }) {
        return try value(of: attribute, path.expression, token)
      } else {
        throw QueryProblem(
          .unknownProperty, in: word,
          "at character \(token.position), \(owner.name) has no property of that name",
          at: token.position)
      }
      if !take(sign: ".") { return path }
    }
  }

  /// Reads `.@count`, if it follows.
  private mutating func takeCount(after path: inout QueryPath) throws(QueryProblem) -> Bool {
    guard peek(1) == .sign("@"), take(sign: ".") else { return false }
    _ = take(sign: "@")
    guard take(word: "COUNT") else { throw expected("count") }
    path = QueryPath(expression: .count(path.expression), type: .integer64)
    return true
  }

  /// An attribute, and the members of a composite one.
  private mutating func value(
    of attribute: Schema.Attribute, _ base: QueryExpression, _ token: QueryToken
  ) throws(QueryProblem) -> QueryPath {
    var attribute = attribute
    var expression = QueryExpression.member(base, attribute.name)
    var depth = 0
    while attribute.type == .composite, depth < QueryExpression.textDepthMax, take(sign: ".") {
      let token = current
      guard case .word(let word) = advance().kind,
        let member = attribute.compositeName.flatMap({ schema.composite($0) })?.attributes
          .first(where: { $0.name == word })
      else { throw expected("a member of \(attribute.name)", at: token) }
      attribute = member
      expression = .member(expression, word)
      depth += 1
    }
    return QueryPath(expression: expression, type: attribute.type)
  }
}
