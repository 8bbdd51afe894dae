public import Foundation

/// An order of objects by a value of theirs.
///
/// Nil comes before every value, as Swift orders optionals, and NaN after every number; descending is
/// the reverse.
public struct QuerySort: Hashable, Sendable {
  /// The value.
  public var expression: QueryExpression
  /// Whether small values come first.
  public var isAscending: Bool
  /// How texts are ordered.
  public var texts: TextOrder

  /// Orders by a value.
  public init(
    _ expression: QueryExpression, isAscending: Bool = true, texts: TextOrder = .lexical
  ) {
    self.expression = expression
    self.isAscending = isAscending
    self.texts = texts
  }

  /// Translates a sort descriptor.
  public init<Object>(
    _ descriptor: SortDescriptor<Object>, names: any QueryNames
  ) throws(QueryProblem) {
    guard let keyPath = descriptor.keyPath else {
      throw QueryProblem(
        .unsupportedExpression, in: "\(descriptor)", "the sort descriptor has no key path")
    }
    let text = names.orderedText(of: keyPath)
    let property = text?.path ?? keyPath
    let type = Swift.type(of: property).valueType
    let plain = (type as? any QueryOptional.Type)?.wrappedType ?? type
    if plain is any StoredOutOfOrder.Type {
      throw QueryProblem(
        .unsupportedExpression, in: "\(descriptor)",
        "the order of values of type \(type) is known to Swift only")
    }
    self.init(
      try QueryExpression(property, names: names), isAscending: descriptor.order == .forward,
      texts: text?.order ?? .lexical)
  }
}
