public import DataModel

/// What is asked of an object: one small language for predicates, sort orders and computed values.
///
/// It is what a `Predicate` is translated to, what the text language is parsed to, and what becomes
/// SQL or is evaluated in memory. It means what the same words mean in Swift: truth has two values,
/// nil equals nil, NaN equals nothing, texts are equal when they are canonically equivalent.
///
/// `variable(0)` is the object itself; `flatMap`, `exists` and their kin bind further numbers.
public indirect enum QueryExpression: Hashable, Sendable {
  /// A value; null is nil, a list is a collection.
  case literal(FieldValue)
  /// An object or a value that an expression around this one binds.
  case variable(Int)
  /// A property of an object: an attribute, a member of a composite one, or a relationship.
  case member(QueryExpression, String)

  /// Whether two values compare so.
  case compare(Comparison, QueryExpression, QueryExpression)
  /// Whether all are true; asked in order, up to the first that is false.
  case and([QueryExpression])
  /// Whether one is true; asked in order, up to the first that is.
  case or([QueryExpression])
  /// Whether it is false.
  case not(QueryExpression)
  /// The second or the third, as the first is true or false.
  case conditional(QueryExpression, QueryExpression, QueryExpression)

  /// Two numbers put together.
  case arithmetic(Arithmetic, QueryExpression, QueryExpression)
  /// A number with the other sign.
  case negative(QueryExpression)

  /// The first, or the second where the first is nil.
  case coalesce(QueryExpression, QueryExpression)
  /// Nil where the first is; else the last, with the first as the variable.
  case flatMap(QueryExpression, Int, QueryExpression)
  /// The value, which may not be nil: evaluation fails where it is.
  case unwrap(QueryExpression)
  /// Whether an object is of an entity or its descendants.
  case isEntity(QueryExpression, String)
  /// The object, or nil where it is not of an entity or its descendants.
  case asEntity(QueryExpression, String)

  /// Whether a text relates so to another; false where one is nil.
  case text(TextRelation, QueryExpression, QueryExpression, TextOptions)
  /// -1, 0 or 1: how a text is ordered against another.
  case textOrder(QueryExpression, QueryExpression, TextOptions)
  /// A text made of a text.
  case textChange(TextChange, QueryExpression)

  /// Whether a value (the first) lies between bounds; a bound may be missing, and the upper one may
  /// be excluded.
  case range(QueryExpression, lower: QueryExpression?, upper: QueryExpression?, isClosed: Bool)
  /// Whether a collection (the first) has a member equal to the second.
  case contains(QueryExpression, QueryExpression)
  /// Whether the condition is true of a member of the collection.
  case exists(QueryExpression, Int, QueryExpression)
  /// Whether the condition is true of every member of the collection.
  case all(QueryExpression, Int, QueryExpression)
  /// The members that the condition is true of.
  case filter(QueryExpression, Int, QueryExpression)
  /// A value for each member of the collection.
  case map(QueryExpression, Int, QueryExpression)
  /// How many characters a text, or members a collection, has.
  case count(QueryExpression)
  /// Whether a text or a collection has nothing in it.
  case isEmpty(QueryExpression)
  /// A collection's members put together; nil where nothing is left of none.
  case aggregate(Aggregate, QueryExpression)
}

extension QueryExpression {
  /// How two values are compared.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// How two numbers are put together.
  public enum Arithmetic: String, Hashable, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
  }

  /// How a text may relate to another.
  public enum TextRelation: String, Hashable, Sendable, CaseIterable {
    case contains
    case begins
    case ends
    case equal
    /// As a pattern, in which `*` stands for any characters and `?` for one.
    case like
  }

  /// What may be made of a text.
  public enum TextChange: String, Hashable, Sendable, CaseIterable {
    case lowercased
    case uppercased
  }

  /// How a collection's members may be put together.
  public enum Aggregate: String, Hashable, Sendable, CaseIterable {
    case minimum
    case maximum
    /// Zero where there are no members.
    case sum
    case average
  }

  /// Which differences between texts do not count.
  public struct TextOptions: OptionSet, Hashable, Sendable {
    /// The options' bits.
    public let rawValue: UInt8

    /// Takes bits as they are.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Large and small letters are alike.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Letters with marks and without are alike.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// What people expect of a search field: neither case nor marks count.
    public static let standard: TextOptions = [.caseInsensitive, .diacriticInsensitive]
  }

  /// How deep an expression may be nested, so that walking one never exhausts the stack.
  public static let depthMax = 100
}

extension QueryExpression {
  /// The object itself.
  public static let object = QueryExpression.variable(0)

  /// A property of the object, with dots where it leads further.
  public static func property(_ path: String) -> QueryExpression {
    path.split(separator: ".").reduce(.object) { .member($0, String($1)) }
  }

  /// The parts that all have to be true: those of a conjunction, or the whole.
  public var conjuncts: [QueryExpression] {
    if case .and(let parts) = self { return parts.flatMap(\.conjuncts) }
    return [self]
  }

  /// All of `parts`; always true without any.
  public static func all(of parts: [QueryExpression]) -> QueryExpression {
    if parts.count == 1, let only = parts.first { return only }
    return parts.isEmpty ? .literal(.boolean(true)) : .and(parts)
  }
}
