import DataModel
import Foundation

/// What the variables around an expression stand for while it is translated.
struct QueryScope {
  let names: any QueryNames
  private var variables: [PredicateExpressions.VariableID: QueryExpression]
  private var depth = 0
  private var next = 1

  init(names: any QueryNames, root: PredicateExpressions.VariableID) {
    self.names = names
    variables = [root: .object]
  }

  init(names: any QueryNames, roots: [PredicateExpressions.VariableID: QueryExpression]) {
    self.names = names
    variables = roots
  }

  /// What the variable stands for.
  func meaning(of variable: PredicateExpressions.VariableID) -> QueryExpression? {
    variables[variable]
  }

  /// The scope in which the variable stands for `meaning`.
  func binding(
    _ variable: PredicateExpressions.VariableID, to meaning: QueryExpression
  ) -> QueryScope {
    var scope = self
    scope.variables[variable] = meaning
    return scope
  }

  /// The scope of a body that binds a variable of its own, and the number that it gets: the depth of
  /// binding, so that equal predicates have equal translations.
  func opening(_ variable: PredicateExpressions.VariableID) -> (number: Int, scope: QueryScope) {
    var scope = binding(variable, to: .variable(next))
    scope.next += 1
    return (next, scope)
  }

  /// The translation of a part.
  func translate(_ part: any PredicateExpression) throws(QueryProblem) -> QueryExpression {
    guard depth < QueryExpression.depthMax else {
      throw QueryProblem(
        .tooDeep, in: shownType(of: part),
        "a predicate may be nested \(QueryExpression.depthMax) deep at most")
    }
    guard let known = part as? any QueryTranslatable else {
      throw QueryProblem(
        .unsupportedExpression, in: shownType(of: part), "the expression has no counterpart in SQL")
    }
    var scope = self
    scope.depth += 1
    return try known.query(in: scope)
  }
}

/// A predicate's expression that can be translated.
///
/// Every type conforms without conditions, and parts are looked up as they are met: so one part that
/// is unknown is named instead of the whole tree being refused.
protocol QueryTranslatable: PredicateExpression {
  /// The translation of this expression.
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression
  /// Whether no variable is in it, so that it has one value, which can be asked of it.
  var isConstant: Bool { get }
}

extension QueryTranslatable {
  var isConstant: Bool { false }

  /// The value of a constant expression.
  func constant() throws(QueryProblem) -> QueryExpression {
    let value: Output
    do {
      value = try evaluate(PredicateBindings())
    } catch {
      throw QueryProblem(.evaluationFailed, in: shownType(of: self), "\(error)")
    }
    return try literal(value)
  }
}

/// Whether an expression has one value.
func isConstant(_ part: any PredicateExpression) -> Bool {
  (part as? any QueryTranslatable)?.isConstant ?? false
}

/// A captured value as a literal.
func literal(_ value: Any) throws(QueryProblem) -> QueryExpression {
  guard let field = FieldValue(captured: value) else {
    throw QueryProblem(
      .unsupportedValue, in: "\(type(of: value))", "no attribute holds values of the captured type")
  }
  return .literal(field)
}

/// The name of an expression's type, without the types that it is made of.
func shownType(of part: any PredicateExpression) -> String {
  let name = "\(type(of: part))"
  return String(name.prefix { $0 != "<" })
}
