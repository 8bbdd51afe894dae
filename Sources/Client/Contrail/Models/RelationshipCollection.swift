/// A property's type that holds several related models: an array, a set, or an optional one of these.
///
/// An array keeps its order. There is always a collection: one that was never set, or was set to nil, is
/// empty.
public protocol RelationshipCollection {
  /// The related models' class.
  associatedtype PersistentElement: PersistentModel
  /// Takes the related models.
  init(_models: [PersistentElement])
  /// The models in it.
  var _models: [PersistentElement] { get }
  /// Whether the property may be nil in its class.
  static var _isOptional: Bool { get }
  /// Whether the order of the models is kept.
  static var _isOrdered: Bool { get }
}

extension Array: RelationshipCollection where Element: PersistentModel {
  /// Takes the related models.
  public init(_models: [Element]) { self = _models }
  /// Itself.
  public var _models: [Element] { self }
  /// It is never nil.
  public static var _isOptional: Bool { false }
  /// It keeps the order.
  public static var _isOrdered: Bool { true }
}

extension Set: RelationshipCollection where Element: PersistentModel {
  /// Takes the related models.
  public init(_models: [Element]) { self = Set(_models) }
  /// The models in it.
  public var _models: [Element] { Array(self) }
  /// It is never nil.
  public static var _isOptional: Bool { false }
  /// It has no order.
  public static var _isOrdered: Bool { false }
}

extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
  /// Takes the related models.
  public init(_models: [Wrapped.PersistentElement]) { self = Wrapped(_models: _models) }
  /// The models in it; none where it is nil.
  public var _models: [Wrapped.PersistentElement] { self?._models ?? [] }
  /// It may be nil.
  public static var _isOptional: Bool { true }
  /// Whether it keeps the order.
  public static var _isOrdered: Bool { Wrapped._isOrdered }
}
