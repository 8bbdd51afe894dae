public import PredicateSQL

/// Which values of which objects to fetch, as dictionaries: chosen properties, computed values and
/// aggregates, without making objects.
///
/// ```swift
/// var request = DictionaryRequest("Entry", [
///   .property("pilot.name"), .count("flights"), .sum("total", of: .property("hours")),
/// ])
/// request.groupBy = [.property("pilot.name")]
/// request.having = .compare(.greater, .property("total"), .literal(.double(10)))
/// request.sort = [QuerySort(.property("total"), isAscending: false)]
/// let rows = try context.fetchDictionaries(request)
/// ```
///
/// SQL alone answers it, so changes that are not saved yet do not count.
public struct DictionaryRequest: Sendable, Hashable {
  /// The entity of the objects.
  public var entity: String
  /// What each dictionary holds; empty for all attributes and to-one relationships of the entity.
  public var columns: [Column]
  /// What must be true of an object; nil for all.
  public var filter: QueryExpression?
  /// Values that the objects of a group share; empty for one dictionary of each object, or, where there
  /// are aggregates, one of all.
  public var groupBy: [QueryExpression] = []
  /// What must be true of a dictionary: its properties are the names of the columns.
  public var having: QueryExpression?
  /// Whether equal dictionaries come once.
  public var isDistinct = false
  /// The order, by the names of columns, or by properties of the object where each dictionary is of one.
  public var sort: [QuerySort] = []
  /// The most dictionaries to fetch; nil for no limit.
  public var limit: Int?
  /// How many dictionaries to pass over.
  public var offset = 0
  /// Whether objects of entities that inherit from `entity` are meant too.
  public var includesSubentities = true
  /// Whether changes that are not saved yet are to count.
  ///
  /// They cannot: where this is set and the context
  /// has changes, the fetch throws.
  public var includesPendingChanges = false

  /// Asks for `columns` of the objects of `entity` that `filter` is true of.
  public init(_ entity: String, _ columns: [Column] = [], where filter: QueryExpression? = nil) {
    self.entity = entity
    self.columns = columns
    self.filter = filter
  }

  /// A value of a dictionary, and its name there.
  public struct Column: Sendable, Hashable {
    /// The name in the dictionary.
    public var name: String
    /// The value; nil where objects themselves are counted.
    public var expression: QueryExpression?
    /// How the values of a group's objects are put together; nil for a value that they share.
    public var function: Function?

    /// How values are put together.
    ///
    /// Nil is left out; what is left of nothing is nil, and 0 for `count`
    /// and `sum`.
    public enum Function: String, Sendable, Hashable, CaseIterable {
      case count, sum, average, minimum, maximum
    }

    /// Names a value.
    public init(_ name: String, _ expression: QueryExpression?, _ function: Function? = nil) {
      self.name = name
      self.expression = expression
      self.function = function
    }
  }
}

extension DictionaryRequest.Column {
  /// A property, with dots where it leads through to-one relationships and composites.
  ///
  /// An object is its identity.
  public static func property(_ path: String) -> Self { Self(path, .property(path)) }

  /// A computed value.
  public static func value(_ name: String, _ expression: QueryExpression) -> Self {
    Self(name, expression)
  }

  /// How many objects there are, or how many have a value there.
  public static func count(_ name: String, of expression: QueryExpression? = nil) -> Self {
    Self(name, expression, .count)
  }

  /// The sum of numbers.
  public static func sum(_ name: String, of expression: QueryExpression) -> Self {
    Self(name, expression, .sum)
  }

  /// The average of numbers.
  public static func average(_ name: String, of expression: QueryExpression) -> Self {
    Self(name, expression, .average)
  }

  /// The least value.
  public static func minimum(_ name: String, of expression: QueryExpression) -> Self {
    Self(name, expression, .minimum)
  }

  /// The greatest value.
  public static func maximum(_ name: String, of expression: QueryExpression) -> Self {
    Self(name, expression, .maximum)
  }
}
