import ObjectStore
import PredicateSQL

/// Key paths that unwrap something by force: following one where there is nil would trap, so that none is
/// ever followed to sort by it.
enum ForcedPaths {
  /// How many models a key path may lead through.
  static let modelsMax = 4

  /// Whether a key path unwraps by force.
  ///
  /// What it is made of is told by its description alone.
  static func unwrap(_ path: AnyKeyPath) -> Bool { path.debugDescription.contains("!") }

  /// The name of the property that such a key path leads to, with dots on the way; nil where it leads to
  /// another place, or through something else than models.
  static func propertyName(of path: AnyKeyPath) -> String? {
    guard unwrap(path), let model = type(of: path).rootType as? any PersistentModel.Type else {
      return nil
    }
    return name(of: path, path.debugDescription, from: nil, model, modelsMax)
  }

  /// Looks for the path among those that begin with `base`, by making them out of key paths that are known.
  private static func name(
    of path: AnyKeyPath, _ shown: String, from base: (path: AnyKeyPath, name: String)?,
    _ model: any PersistentModel.Type, _ left: Int
  ) -> String? {
    for property in model._$plan.properties.all where property.isQueryable {
      let whole = base.map { $0.path.appending(path: property.keypath) } ?? property.keypath
      guard let whole else { continue }
      let name = base.map { "\($0.name).\(property.name)" } ?? property.name
      for made in [whole, forced(whole)].compactMap(\.self)
      where shown.hasPrefix(made.debugDescription) {
        if isSame(made, path) { return name }
        guard left > 1, let next = type(of: made).valueType as? any PersistentModel.Type,
          let found = Self.name(of: path, shown, from: (made, name), next, left - 1)
        else { continue }
        return found
      }
    }
    return nil
  }

  /// Whether two key paths are made of the same.
  ///
  /// NB: a path that was put together and leads through two unwrapped models is not equal to the one that is
  /// written out, though each has the other's hash and description, which name every part.
  private static func isSame(_ made: AnyKeyPath, _ path: AnyKeyPath) -> Bool {
    made == path
      || (made.hashValue == path.hashValue && made.debugDescription == path.debugDescription)
  }

  private static func forced(_ path: AnyKeyPath) -> AnyKeyPath? {
    (type(of: path).valueType as? any OptionalValue.Type)
      .flatMap { path.appending(path: $0.unwrapping) }
  }

  /// An error where models were to be sorted in memory by a key path that unwraps by force.
  static func refuse<T: PersistentModel>(_ sorts: [SortDescriptor<T>]) throws(StoreError) {
    guard sorts.contains(where: { $0.keyPath.map(unwrap) ?? false }) else { return }
    throw refusal(
      T.self, "is sorted by", fix: "write ? in place of !, which puts models without a value first")
  }

  /// That something cannot be done by such a key path.
  static func refusal(
    _ model: any PersistentModel.Type, _ what: String, fix: String
  ) -> StoreError {
    StoreError(
      .invalidFetch, model._$plan.entityName,
      "\(what) a key path that unwraps by force, which would trap where there is nil", fix: fix)
  }
}

/// The names of the properties that key paths lead to, also by force: in a sort, what is nil on the way comes first,
/// however it is unwrapped.
struct SortNames: QueryNames {
  private let names = ModelNames()

  func propertyName(of keyPath: AnyKeyPath) -> String? {
    names.propertyName(of: keyPath) ?? ForcedPaths.propertyName(of: keyPath)
  }

  func entityName(of type: any Any.Type) -> String? { names.entityName(of: type) }

  func orderedText(of keyPath: AnyKeyPath) -> (path: AnyKeyPath, order: TextOrder)? {
    names.orderedText(of: keyPath)
  }
}
