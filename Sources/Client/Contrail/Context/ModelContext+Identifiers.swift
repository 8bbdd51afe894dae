import DataModel
import Foundation
import ObjectStore

extension ModelContext {
  /// The model that an identifier names, read when it is used.
  ///
  /// Of an identifier that names nothing that is known, it is a model of its class that is in no context.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    if let object = object(for: persistentModelID), let model = model(of: object) { return model }
    let plan = core.schema.plans[persistentModelID.entityName] ?? UnknownModel._$plan
    return plan.makeModel(ManagedObject(new: plan.layout))
  }

  /// The model that an identifier names when it is in memory and not deleted.
  public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T?
  {
    guard let part = try? part(of: persistentModelID.entityName),
      let identity = persistentModelID.identity(in: core) ?? persistentModelID.anyIdentity,
      let object = part.registeredObject(identity.entity, key: identity.key),
      identity.key < 0 || identity.store == part.store.identifier
    else { return nil }
    return model(of: object) as? T
  }

  /// The model that an identifier names; nil where it is deleted, here or in the store.
  func existingModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
    guard let identity = identity(of: persistentModelID) else {
      return registeredModel(for: persistentModelID)
    }
    guard let part = try? part(of: identity.entity) else { return nil }
    do {
      return try part.existingObject(identity).flatMap { model(of: $0) as? T }
    } catch {
      part.report(
        (error as? StoreError)
          ?? StoreError(.readFailed, identity.entity, "cannot be read: \(error)"))
      return nil
    }
  }

  /// The identity of a saved object; a store that somebody else wrote is asked where it is not known yet.
  private func identity(of persistentModelID: PersistentIdentifier) -> ObjectIdentity? {
    if let known = persistentModelID.identity(in: core) { return known }
    keepingFailure { try findForeign(persistentModelID) }
    return persistentModelID.identity(in: core)
  }

  private func object(for persistentModelID: PersistentIdentifier) -> ManagedObject? {
    guard let part = try? part(of: persistentModelID.entityName) else { return nil }
    if let identity = identity(of: persistentModelID) { return part.object(identity) }
    guard let key = persistentModelID.temporaryKey else { return nil }
    return part.registeredObject(persistentModelID.entityName, key: key)
  }
}

/// What stands for a model of an entity that the container does not have.
final class UnknownModel: PersistentModel {
  @exclusivity(unchecked) private var _$model: ModelStorage

  init(handle: consuming ModelHandle) { _$model = ModelStorage(handle) }

  static var schemaMetadata: [Schema.PropertyMetadata] { [] }
  static let _$plan = ModelPlan(UnknownModel.self)
  static func _$setDefaults(_ defaults: borrowing ModelDefaults) {}
  func _$visit(_ visitor: inout StorageVisitor) { visitor.visit(&_$model) }
}
