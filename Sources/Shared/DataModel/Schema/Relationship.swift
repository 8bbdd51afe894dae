extension Schema {
  /// A property that holds other objects.
  public struct Relationship: Hashable, Sendable {
    /// The relationship's name, unique among its entity's properties.
    public var name: String
    /// The entity of the objects that it holds.
    public var destination: String
    /// The relationship at the other end.
    public var inverse: String?
    /// The entity that declares `inverse`, when it is not `destination` itself.
    public var inverseEntity: String?
    /// Whether it may hold several objects.
    public var isToMany: Bool
    /// Whether its objects have an order.
    public var isOrdered: Bool
    /// Whether it may hold none.
    public var isOptional: Bool
    /// Whether it is never stored.
    public var isTransient: Bool
    /// The fewest objects that it may hold, when it holds any; 0 for no limit.
    public var minimumCount: Int
    /// The most objects that it may hold; 0 for no limit, and 1 for a to-one relationship.
    public var maximumCount: Int
    /// What happens to its objects when the holder is deleted.
    public var deleteRule: DeleteRule
    /// The name by which an earlier version knew this relationship.
    public var renamingIdentifier: String?
    /// Text that changes the version hash without another change.
    public var hashModifier: String?
    /// Free annotations.
    public var userInfo: [String: String]

    /// Makes a relationship to `destination`; without a maximum count a to-one has 1, a to-many none.
    public init(
      name: String, destination: String, inverse: String? = nil, inverseEntity: String? = nil,
      isToMany: Bool = false, isOrdered: Bool = false, isOptional: Bool = true,
      isTransient: Bool = false, minimumCount: Int = 0, maximumCount: Int? = nil,
      deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil,
      hashModifier: String? = nil, userInfo: [String: String] = [:]
    ) {
      self.name = name
      self.destination = destination
      self.inverse = inverse
      self.inverseEntity = inverseEntity == destination ? nil : inverseEntity
      self.isToMany = isToMany
      self.isOrdered = isOrdered
      self.isOptional = isOptional
      self.isTransient = isTransient
      self.minimumCount = minimumCount
      self.maximumCount = maximumCount ?? (isToMany ? 0 : 1)
      self.deleteRule = deleteRule
      self.renamingIdentifier = renamingIdentifier
      self.hashModifier = hashModifier
      self.userInfo = userInfo
    }
  }
}

extension Schema.Relationship {
  /// What happens to the related objects when an object is deleted.
  public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
    /// Nothing; the other side is left pointing at what is gone.
    case noAction
    /// The other side forgets the object.
    case nullify
    /// They are deleted too.
    case cascade
    /// The deletion is refused while there are any.
    case deny
  }
}
