extension Schema {
  /// A kind of object.
  public struct Entity: Hashable, Sendable {
    /// The entity's name, unique in its schema.
    public var name: String
    /// The entity that this one inherits from.
    public var parent: String?
    /// Whether only its descendants have objects.
    public var isAbstract: Bool
    /// The class that represents an object in code, when it is not the entity's name.
    public var className: String?
    /// Its own attributes, sorted by name; inherited ones stand at the ancestor.
    public var attributes: [Attribute] { didSet { attributes.sortByName() } }
    /// Its own relationships, sorted by name; inherited ones stand at the ancestor.
    public var relationships: [Relationship] { didSet { relationships.sortByName() } }
    /// Properties that are fetches, sorted by name.
    public var fetchedProperties: [FetchedProperty] {
      didSet { fetchedProperties.sortByName() }
    }
    /// Indexes, sorted by name.
    public var indexes: [Index] { didSet { indexes.sortByName() } }
    /// Sets of properties whose values no two objects share.
    public var uniquenessConstraints: [[String]] {
      didSet { uniquenessConstraints.sort { $0.precedesInBytes($1) } }
    }
    /// The name by which an earlier version knew this entity.
    public var renamingIdentifier: String?
    /// Text that changes the version hash without another change.
    public var hashModifier: String?
    /// The integer attribute that tells which version of the app wrote an object, so that older
    /// apps can leave newer objects alone.
    public var versionField: String?
    /// The attributes that name the same thing on every device; used to find duplicates, since a
    /// synced store cannot have unique constraints.
    public var naturalKey: [String]
    /// The expression whose value a search result shows.
    public var searchDisplayName: String?
    /// Free annotations.
    public var userInfo: [String: String]

    /// Makes an entity with the given properties.
    public init(
      name: String, parent: String? = nil, isAbstract: Bool = false, className: String? = nil,
      attributes: [Attribute] = [], relationships: [Relationship] = [],
      fetchedProperties: [FetchedProperty] = [], indexes: [Index] = [],
      uniquenessConstraints: [[String]] = [], renamingIdentifier: String? = nil,
      hashModifier: String? = nil, versionField: String? = nil, naturalKey: [String] = [],
      searchDisplayName: String? = nil, userInfo: [String: String] = [:]
    ) {
      self.name = name
      self.parent = parent
      self.isAbstract = isAbstract
      self.className = className
      self.attributes = attributes.sortedByName()
      self.relationships = relationships.sortedByName()
      self.fetchedProperties = fetchedProperties.sortedByName()
      self.indexes = indexes.sortedByName()
      self.uniquenessConstraints = uniquenessConstraints.sorted { $0.precedesInBytes($1) }
      self.renamingIdentifier = renamingIdentifier
      self.hashModifier = hashModifier
      self.versionField = versionField
      self.naturalKey = naturalKey
      self.searchDisplayName = searchDisplayName
      self.userInfo = userInfo
    }
  }

  /// A property whose value is the result of a fetch.
  public struct FetchedProperty: Hashable, Sendable {
    /// The property's name.
    public var name: String
    /// Whether it may be without a value.
    public var isOptional: Bool
    /// What it fetches.
    public var request: FetchRequest

    /// Makes a property that fetches `request`.
    public init(name: String, isOptional: Bool = false, request: FetchRequest) {
      self.name = name
      self.isOptional = isOptional
      self.request = request
    }
  }

  /// An index over properties of one entity.
  public struct Index: Hashable, Sendable {
    /// The index's name, unique in its entity.
    public var name: String
    /// What it indexes, in order.
    public var elements: [Element]
    /// The predicate of a partial index, as the model spells it.
    public var predicate: String?

    /// Makes an index over `elements`.
    public init(name: String, elements: [Element], predicate: String? = nil) {
      self.name = name
      self.elements = elements
      self.predicate = predicate
    }
  }
}

extension Schema.Index {
  /// How an index arranges values.
  public enum Arrangement: String, Sendable, Hashable, CaseIterable {
    /// Sorted values.
    case binary
    /// Boxes, for values that are ranges or places.
    case rtree
  }

  /// One column of an index.
  public struct Element: Hashable, Sendable {
    /// The indexed property's name, or an expression's text.
    public var subject: String
    /// Whether `subject` is an expression rather than a property.
    public var isExpression: Bool
    /// How values are arranged.
    public var arrangement: Arrangement
    /// Whether values ascend.
    public var isAscending: Bool

    /// Makes a column over `subject`.
    public init(
      _ subject: String, isExpression: Bool = false, arrangement: Arrangement = .binary,
      isAscending: Bool = true
    ) {
      self.subject = subject
      self.isExpression = isExpression
      self.arrangement = arrangement
      self.isAscending = isAscending
    }
  }
}
