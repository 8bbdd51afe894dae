/// Why a query, or a part of one, cannot be translated or evaluated.
public struct QueryProblem: Error, Hashable, Sendable {
  /// What kind of problem it is.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A key path that leads to no property that is known.
    case unknownKeyPath
    /// A property that the entity does not have.
    case unknownProperty
    /// An entity that the schema does not have.
    case unknownEntity
    /// A captured value that no attribute can hold.
    case unsupportedValue
    /// An expression that has no counterpart here.
    case unsupportedExpression
    /// Values that cannot be compared or put together.
    case mismatchedTypes
    /// Nesting beyond `QueryExpression.depthMax`.
    case tooDeep
    /// A nil that was to be unwrapped, a division by zero, or a number too large for its type.
    case evaluationFailed
    /// Text that is no query.
    case malformedText
  }

  /// What kind of problem it is.
  public var code: Code
  /// The part of the query that the problem is in.
  public var expression: String
  /// What is wrong, in one sentence.
  public var message: String

  /// Where it is in the text that was read: a count of characters from 1; nil where there is no text.
  public var position: Int?

  /// Describes a problem with `expression`.
  public init(
    _ code: Code, in expression: String, _ message: String, at position: Int? = nil
  ) {
    self.code = code
    self.expression = expression
    self.message = message
    self.position = position
  }
}

extension QueryProblem: CustomStringConvertible {
  /// The message, and what it is about.
  public var description: String { "\(message): \(expression)" }
}
