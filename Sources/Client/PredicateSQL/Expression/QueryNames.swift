/// Knows the properties that key paths lead to, and the entities of model types.
public protocol QueryNames: Sendable {
  /// The name of the property that a key path leads to, with dots where it leads further; empty for
  /// an object's own identity; nil for a key path that is not known.
  ///
  /// NB: a key path that was formed on a generic parameter is equal to none that was formed on the
  /// concrete type, and `\Sub.name` is not equal to `\Base.name`: it takes a row for each.
  func propertyName(of keyPath: AnyKeyPath) -> String?

  /// The name of the entity of a model type; nil for any other type.
  func entityName(of type: any Any.Type) -> String?

  /// The key path to a text, and the order, that a key path to a text in another order than its own was made
  /// of; nil for every other key path.
  func orderedText(of keyPath: AnyKeyPath) -> (path: AnyKeyPath, order: TextOrder)?
}

extension QueryNames {
  /// None.
  public func orderedText(of keyPath: AnyKeyPath) -> (path: AnyKeyPath, order: TextOrder)? { nil }
}

/// Names that are listed.
///
/// Unchecked, since `AnyKeyPath` does not say that it is Sendable: the paths are compared and hashed
/// only, never followed, and what a path holds does not change.
public struct ListedQueryNames: QueryNames, @unchecked Sendable {
  private let properties: [AnyKeyPath: String]
  private let entities: [ObjectIdentifier: String]

  /// Takes the properties by key path and the entities by type.
  public init(properties: [AnyKeyPath: String], entities: [ObjectIdentifier: String] = [:]) {
    self.properties = properties
    self.entities = entities
  }

  /// The listed name.
  public func propertyName(of keyPath: AnyKeyPath) -> String? { properties[keyPath] }

  /// The listed entity.
  public func entityName(of type: any Any.Type) -> String? { entities[ObjectIdentifier(type)] }
}
