import DataModel
import Foundation

extension PredicateExpressions.Variable: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    if let meaning = scope.meaning(of: key) { return meaning }
    throw QueryProblem(.unsupportedExpression, in: "Variable", "the variable is not bound")
  }
}

extension PredicateExpressions.Value: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression { try literal(value) }
  var isConstant: Bool { true }
}

extension PredicateExpressions.NilLiteral: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression { .literal(.null) }
  var isConstant: Bool { true }
}

extension PredicateExpressions.KeyPath: QueryTranslatable {
  var isConstant: Bool { PredicateSQL.isConstant(root) }

  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    if isConstant { return try constant() }
    let base = try scope.translate(root)
    switch kind {
    case .collectionCount: return .count(base)
    case .collectionIsEmpty: return .isEmpty(base)
    case .collectionFirst, .bidirectionalCollectionLast:
      throw QueryProblem(
        .unsupportedExpression, in: "\(base)",
        "the first and the last of a collection are not known")
    case nil: break
    }
    let path: AnyKeyPath = keyPath
    if let name = scope.names.propertyName(of: path) {
      return name.split(separator: ".").reduce(base) { .member($0, String($1)) }
    }
    if readsRawValue(path, of: Root.Output.self) { return base }
    throw QueryProblem(
      .unknownKeyPath, in: "\(base), \(path.debugDescription)",
      "the key path leads to no property that is known")
  }
}

/// Whether a key path gives the raw value of every case of an enumeration: such a value is what its
/// attribute holds.
///
/// NB: `\T.rawValue`, formed on a generic parameter, is not equal to the path that a predicate has, so
/// the two are compared by what they give.
private func readsRawValue(_ path: AnyKeyPath, of type: any Any.Type) -> Bool {
  guard let cases = type as? any (RawRepresentable & CaseIterable).Type else { return false }
  func reads<Case: RawRepresentable & CaseIterable>(_: Case.Type) -> Bool {
    guard let path = path as? Swift.KeyPath<Case, Case.RawValue> else { return false }
    return Case.allCases.allSatisfy {
      FieldValue(captured: $0[keyPath: path]) == FieldValue(captured: $0.rawValue)
    }
  }
  return reads(cases)
}

extension PredicateExpressions.TypeCheck: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .isEntity(try scope.translate(input), try entity(Desired.self, in: scope))
  }
}

extension PredicateExpressions.ConditionalCast: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .asEntity(try scope.translate(input), try entity(Desired.self, in: scope))
  }
}

extension PredicateExpressions.ForceCast: QueryTranslatable {
  func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
    .unwrap(.asEntity(try scope.translate(input), try entity(Desired.self, in: scope)))
  }
}

/// The entity that a cast asks for.
private func entity(
  _ type: any Any.Type, in scope: QueryScope
) throws(QueryProblem) -> String {
  if let name = scope.names.entityName(of: type) { return name }
  throw QueryProblem(.unknownEntity, in: "\(type)", "casts are known between entities only")
}
