public import FoundationEssentials

/// Which object of which store: what may cross contexts, processes and files in place of the object.
public struct ObjectIdentity: Sendable {
  // A reference, so that an identity is two words: programs hold lists with millions of them.
  private let origin: ObjectOrigin
  /// The object's key within its store; never reused.
  public let key: Int64

  /// Names the object with `key` of `entity` in `store`.
  public init(store: UUID, entity: String, key: Int64) {
    self.init(ObjectOrigin(store: store, entity: entity), key: key)
  }

  /// Names the object with `key` of an entity in a store; for those who name many.
  public init(_ origin: ObjectOrigin, key: Int64) {
    self.origin = origin
    self.key = key
  }

  /// The store that owns the object.
  public var store: UUID { origin.store }
  /// The object's concrete entity.
  public var entity: String { origin.entity }
}

/// What the identities of all objects of one entity in one store have in common.
public final class ObjectOrigin: Sendable {
  /// The store that owns the objects.
  public let store: UUID
  /// The objects' entity.
  public let entity: String

  /// Names the objects of `entity` in `store`.
  public init(store: UUID, entity: String) {
    self.store = store
    self.entity = entity
  }
}

extension ObjectIdentity: Hashable {
  /// Whether both name the same object.
  public static func == (first: ObjectIdentity, second: ObjectIdentity) -> Bool {
    first.key == second.key
      && (first.origin === second.origin
        || first.store == second.store && first.entity == second.entity)
  }

  /// Feeds what tells objects apart into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(store)
    hasher.combine(entity)
  }
}

extension ObjectIdentity: Codable {
  private enum CodingKeys: String, CodingKey {
    case store, entity, key
  }

  /// Reads what `encode` wrote.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      store: try values.decode(UUID.self, forKey: .store),
      entity: try values.decode(String.self, forKey: .entity),
      key: try values.decode(Int64.self, forKey: .key))
  }

  /// Writes the store, the entity and the key.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(store, forKey: .store)
    try values.encode(entity, forKey: .entity)
    try values.encode(key, forKey: .key)
  }
}

extension ObjectIdentity: CustomStringConvertible {
  /// The identity as a URI, `x-contrail://STORE/ENTITY/pKEY`.
  public var description: String {
    "x-contrail://\(store.uuidString)/\(entity)/p\(key)"
  }

  /// Reads what `description` wrote; nil for anything else.
  public init?(_ description: String) {
    guard description.hasPrefix("x-contrail://") else { return nil }
    let parts = description.dropFirst(13).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let store = UUID(uuidString: String(parts[0])), !parts[1].isEmpty,
      parts[2].first == "p", let key = Int64(parts[2].dropFirst()), key > 0
    else { return nil }
    self.init(store: store, entity: String(parts[1]), key: key)
  }
}
