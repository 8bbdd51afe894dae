public import FoundationEssentials

/// Which object of which store: what may cross contexts, processes and files in place of the object.
public struct ObjectIdentity: Hashable, Sendable, Codable {
  /// The store that owns the object.
  public var store: UUID
  /// The object's concrete entity.
  public var entity: String
  /// The object's key within its store; never reused.
  public var key: Int64

  /// Names the object with `key` of `entity` in `store`.
  public init(store: UUID, entity: String, key: Int64) {
    self.store = store
    self.entity = entity
    self.key = key
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
