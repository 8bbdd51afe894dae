public import DataModel

/// An object as a query in memory sees it.
public protocol QueryRow {
  /// The object's identity.
  var queryIdentity: ObjectIdentity { get }
  /// Whether the object's entity is the one of that name or descends from it.
  func isOfEntity(_ name: String) -> Bool
  /// The property of that name; nil where there is none.
  func queryMember(_ name: String) throws(QueryProblem) -> QueryMember?
}

/// What a property of an object holds.
public enum QueryMember {
  /// An attribute's value; of a composite one, its members.
  case value(FieldValue)
  /// The object that a relationship holds, if any.
  case object((any QueryRow)?)
  /// The objects that a relationship holds.
  case objects([any QueryRow])
}
