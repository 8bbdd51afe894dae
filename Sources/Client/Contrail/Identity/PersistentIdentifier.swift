public import DataModel
import Foundation
import ObjectStore
public import PredicateSQL

/// Which object of which store: what crosses contexts, actors, processes and files in place of a model.
///
/// An identifier is temporary until its model is saved for the first time. One that was encoded and
/// decoded again is equal to the one that it was made of.
public struct PersistentIdentifier: Hashable, Identifiable, Sendable {
  /// The store, the entity and the key together.
  public struct ID: Hashable, Sendable, Codable {
    let content: Content
  }

  enum Content: Hashable, Sendable {
    /// An object of one of our stores; with a key below 0 while it has never been saved.
    case object(ObjectIdentity)
    /// An object of a store that somebody else wrote, by its own key as text.
    ///
    /// Behind a reference, so that an identifier is two words: programs hold lists with millions of them.
    indirect case foreign(store: String, entity: String, key: String)
  }

  let content: Content

  /// What tells identifiers apart.
  public var id: ID { ID(content: content) }

  /// The object's entity.
  public var entityName: String {
    switch content {
    case .object(let identity): identity.entity
    case .foreign(_, let entity, _): entity
    }
  }

  /// The store that has the object; nil while the identifier is temporary.
  public var storeIdentifier: String? {
    switch content {
    case .object(let identity): identity.key > 0 ? identity.store.uuidString : nil
    case .foreign(let store, _, _): store
    }
  }

  /// Whether its model has never been saved: such an identifier means nothing to others, nor later.
  public var isTemporary: Bool { temporaryKey != nil }

  init(_ content: Content) { self.content = content }

  init(_ identity: ObjectIdentity) {
    self = ForeignBridge.identifier(of: identity) ?? PersistentIdentifier(.object(identity))
  }

  /// The identifiers of many objects.
  static func list(_ found: FoundIdentities) -> [PersistentIdentifier] {
    guard !ForeignBridge.isAnyKnown else { return found.list.map { PersistentIdentifier($0) } }
    return switch found {
    case .alike(let origin, let keys):
      keys.map { PersistentIdentifier(.object(ObjectIdentity(origin, key: $0))) }
    case .each(let identities): identities.map { PersistentIdentifier(.object($0)) }
    }
  }

  init(_ object: ManagedObject) {
    self.init(object.identity ?? object.temporaryIdentity)
  }

  /// The identity in one of our stores, or in what is in memory of another's; nil for a temporary one.
  var identity: ObjectIdentity? {
    guard case .object(let identity) = content else { return ForeignBridge.identity(of: self) }
    return identity.key > 0 ? ForeignBridge.wrapped(self, identity) ?? identity : nil
  }

  /// The identity in one of a container's stores: others of the same name may be open elsewhere.
  func identity(in core: ContainerCore) -> ObjectIdentity? {
    if case .object(let own) = content {
      return own.key > 0 ? core.isOwn(own) ? own : core.wrapped(self, own) : nil
    }
    return core.bridges.lazy.compactMap { $0.identity(of: self) }.first
  }

  /// The identity, which may be a temporary one.
  var anyIdentity: ObjectIdentity? {
    if case .object(let identity) = content { return identity }
    return identity
  }

  /// The key of a model that has never been saved.
  var temporaryKey: Int64? {
    guard case .object(let identity) = content, identity.key < 0 else { return nil }
    return identity.key
  }

  /// The identifier of an object of a store that is not one of ours.
  public static func identifier<Key>(
    for storeIdentifier: String, entityName: String, primaryKey: Key
  ) throws -> PersistentIdentifier
  where Key: Comparable & CustomStringConvertible & Codable & Hashable {
    PersistentIdentifier(
      .foreign(store: storeIdentifier, entity: entityName, key: primaryKey.description))
  }
}

extension PersistentIdentifier: Comparable {
  /// By entity, then by store, then by key.
  public static func < (first: PersistentIdentifier, second: PersistentIdentifier) -> Bool {
    if first.entityName != second.entityName { return first.entityName < second.entityName }
    switch (first.content, second.content) {
    // The order of the texts is that of the bytes.
    case (.object(let left), .object(let right)):
      return left.store == right.store ? left.key < right.key : left.store < right.store
    case (.foreign(let left, _, let leftKey), .foreign(let right, _, let rightKey)):
      return (left, leftKey) < (right, rightKey)
    case (.object(let left), .foreign(let right, _, _)): return left.store.uuidString <= right
    case (.foreign(let left, _, _), .object(let right)): return left < right.store.uuidString
    }
  }
}

extension PersistentIdentifier.Content: Codable {
  private enum CodingKeys: String, CodingKey {
    case store, entity, key, primaryKey
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let entity = try values.decode(String.self, forKey: .entity)
    if let text = try values.decodeIfPresent(String.self, forKey: .primaryKey) {
      self = .foreign(
        store: try values.decode(String.self, forKey: .store), entity: entity, key: text)
    } else {
      self = .object(
        ObjectIdentity(
          store: try values.decode(UUID.self, forKey: .store), entity: entity,
          key: try values.decode(Int64.self, forKey: .key)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .object(let identity):
      try values.encode(identity.store, forKey: .store)
      try values.encode(identity.entity, forKey: .entity)
      try values.encode(identity.key, forKey: .key)
    case .foreign(let store, let entity, let key):
      try values.encode(store, forKey: .store)
      try values.encode(entity, forKey: .entity)
      try values.encode(key, forKey: .primaryKey)
    }
  }
}

extension PersistentIdentifier: Codable {
  /// Reads what `encode` wrote.
  public init(from decoder: any Decoder) throws { content = try Content(from: decoder) }

  /// Writes the store, the entity and the key.
  public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension PersistentIdentifier: QueryValueConvertible {
  /// The identity that stands for the object in a predicate.
  public var queryValue: FieldValue {
    switch content {
    case .object(let own): .objectID(identity ?? own)
    case .foreign(_, _, let key): identity.map { .objectID($0) } ?? .string(key)
    }
  }
}
