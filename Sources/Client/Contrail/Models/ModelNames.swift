import ObjectStore
import PredicateSQL

/// Knows the properties that key paths of any model class lead to, and the parts of composite values.
struct ModelNames: QueryNames {
  func propertyName(of keyPath: AnyKeyPath) -> String? {
    let root = type(of: keyPath).rootType
    guard let model = root as? any PersistentModel.Type else {
      return (root as? any Codable.Type).flatMap { Self.memberName(keyPath, of: $0) }
    }
    if let property = Self.property(of: keyPath) {
      return property.isQueryable ? property.name : nil
    }
    return Self.isIdentity(keyPath, of: model) ? "" : nil
  }

  func entityName(of type: any Any.Type) -> String? {
    (type as? any PersistentModel.Type)?._$plan.entityName
  }

  func orderedText(of keyPath: AnyKeyPath) -> (path: AnyKeyPath, order: TextOrder)? {
    OrderedTexts.meaning(of: keyPath)
  }

  /// The property of a model that a key path leads to, whether queries can speak of it or not.
  static func property(of keyPath: AnyKeyPath) -> KnownProperty? {
    guard let plan = (type(of: keyPath).rootType as? any PersistentModel.Type)?._$plan else {
      return nil
    }
    return plan.properties.property(of: keyPath) ?? KeyPathProbe.property(of: keyPath, plan)
  }

  /// What stands for an object's own identity is the empty name.
  ///
  /// A property of the same type that a program computes may lead to another object.
  private static func isIdentity<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, of type: Model.Type
  ) -> Bool {
    guard let path = keyPath as? KeyPath<Model, PersistentIdentifier> else { return false }
    return path == \Model.persistentModelID
      || path == (\Model.id as KeyPath<Model, PersistentIdentifier>)
      || isIdentifiableID(path, of: type)
  }

  /// Whether a key path is that of `id` as generic code writes it, which is another one.
  private static func isIdentifiableID<Model: Identifiable>(
    _ keyPath: AnyKeyPath, of type: Model.Type
  ) -> Bool {
    keyPath == \Model.id
  }

  /// The name of a stored property of a composite value, which its key path shows.
  private static func memberName(_ keyPath: AnyKeyPath, of type: any Codable.Type) -> String? {
    guard let shape = CompositeShape.of(type),
      let name = keyPath.debugDescription.split(separator: ".").last.map(String.init),
      let member = shape.members.first(where: { $0.name == name })
    else { return nil }
    let value = Swift.type(of: keyPath).valueType
    let wrapped = (value as? any OptionalValue.Type)?.wrappedType ?? value
    guard ObjectIdentifier(wrapped) == member.typeIdentity else { return nil }
    if case .opaque = member.content { return nil }
    return name
  }
}
