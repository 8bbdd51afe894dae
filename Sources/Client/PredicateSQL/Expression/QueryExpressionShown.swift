import DataModel

extension QueryExpression: CustomStringConvertible {
  /// The expression much as Swift spells it, for messages and tests.
  public var description: String {
    switch self {
    case .literal(let value): value.shown
    case .variable(let number): number == 0 ? "self" : "v\(number)"
    case .member(let base, let name): "\(base).\(name)"
    case .compare(let comparison, let left, let right): "(\(left) \(comparison.rawValue) \(right))"
    case .and(let parts): Self.joined(parts, by: " && ", empty: "true")
    case .or(let parts): Self.joined(parts, by: " || ", empty: "false")
    case .not(let part): "!\(part)"
    case .conditional(let test, let then, let otherwise): "(\(test) ? \(then) : \(otherwise))"
    case .arithmetic(let operation, let left, let right):
      "(\(left) \(operation.rawValue) \(right))"
    case .negative(let number): "-\(number)"
    case .coalesce(let left, let right): "(\(left) ?? \(right))"
    case .flatMap(let base, let variable, let body): "\(base).flatMap { v\(variable) in \(body) }"
    case .unwrap(let base): "\(base)!"
    case .isEntity(let base, let entity): "(\(base) is \(entity))"
    case .asEntity(let base, let entity): "(\(base) as? \(entity))"
    case .text(let relation, let left, let right, let options):
      "\(left).\(relation.rawValue)\(options.shown)(\(right))"
    case .textOrder(let left, let right, let options): "\(left).order\(options.shown)(\(right))"
    case .textChange(let change, let base): "\(base).\(change.rawValue)()"
    case .range(let value, let lower, let upper, let isClosed):
      "(\(lower?.description ?? "")\(isClosed ? "..." : "..<")\(upper?.description ?? ""))"
        + ".contains(\(value))"
    case .contains(let collection, let element): "\(collection).contains(\(element))"
    case .exists(let base, let variable, let body):
      "\(base).contains { v\(variable) in \(body) }"
    case .all(let base, let variable, let body): "\(base).allSatisfy { v\(variable) in \(body) }"
    case .filter(let base, let variable, let body): "\(base).filter { v\(variable) in \(body) }"
    case .map(let base, let variable, let body): "\(base).map { v\(variable) in \(body) }"
    case .count(let base): "\(base).count"
    case .isEmpty(let base): "\(base).isEmpty"
    case .aggregate(let aggregate, let base): "\(base).\(aggregate.rawValue)()"
    }
  }

  private static func joined(_ parts: [QueryExpression], by word: String, empty: String) -> String {
    parts.isEmpty ? empty : "(" + parts.map(\.description).joined(separator: word) + ")"
  }
}

extension QueryExpression.TextOptions {
  /// The options as the text language spells them: `[cd]`, or nothing without any.
  var shown: String {
    if isEmpty { return "" }
    return "[" + (contains(.caseInsensitive) ? "c" : "")
      + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}
