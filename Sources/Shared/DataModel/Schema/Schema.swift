/// What a store holds and a server mirrors: entities, their properties, and how they relate.
///
/// A schema is a value. Parts are kept sorted by name, so that two files that list the same parts in
/// another order are the same schema.
public struct Schema: Hashable, Sendable {
  /// What people call the schema, such as the name of its file; no part of any hash.
  public var name: String
  /// The label that its author gave this version; a hint only, hashes decide compatibility.
  public var versionIdentifier: String
  /// Whether the model says of itself that CloudKit mirrors its default configuration.
  public var isUsedWithCloudKit: Bool
  /// The kinds of objects, sorted by name.
  public var entities: [Entity] { didSet { entities.sortByName() } }
  /// Types that attributes of type `composite` refer to, sorted by name.
  public var composites: [Composite] { didSet { composites.sortByName() } }
  /// Named subsets of the entities, each for a store of its own, sorted by name.
  public var configurations: [Configuration] {
    didSet { configurations.sortByName() }
  }
  /// Fetch requests that the model names, sorted by name.
  public var fetchRequests: [FetchRequest] { didSet { fetchRequests.sortByName() } }

  /// Makes a schema of `entities`.
  public init(
    name: String = "", versionIdentifier: String = "", isUsedWithCloudKit: Bool = false,
    entities: [Entity] = [], composites: [Composite] = [], configurations: [Configuration] = [],
    fetchRequests: [FetchRequest] = []
  ) {
    self.name = name
    self.versionIdentifier = versionIdentifier
    self.isUsedWithCloudKit = isUsedWithCloudKit
    self.entities = entities.sortedByName()
    self.composites = composites.sortedByName()
    self.configurations = configurations.sortedByName()
    self.fetchRequests = fetchRequests.sortedByName()
  }
}

extension Schema {
  /// A named subset of the entities; a store opened for it holds only those.
  public struct Configuration: Hashable, Sendable {
    /// The configuration's name.
    public var name: String
    /// Names of the member entities, sorted.
    public var entities: [String] { didSet { entities.sort { $0.precedesInBytes($1) } } }
    /// Whether the model says of itself that CloudKit mirrors this configuration.
    public var isUsedWithCloudKit: Bool

    /// Names a subset of the entities.
    public init(name: String, entities: [String], isUsedWithCloudKit: Bool = false) {
      self.name = name
      self.entities = entities.sorted { $0.precedesInBytes($1) }
      self.isUsedWithCloudKit = isUsedWithCloudKit
    }
  }

  /// A type made of several attributes, stored as one column each.
  public struct Composite: Hashable, Sendable {
    /// The type's name.
    public var name: String
    /// Its members, sorted by name.
    public var attributes: [Attribute] { didSet { attributes.sortByName() } }

    /// Makes a composite type of `attributes`.
    public init(name: String, attributes: [Attribute]) {
      self.name = name
      self.attributes = attributes.sortedByName()
    }
  }

  /// A fetch that the model names: an entity and a predicate's text.
  public struct FetchRequest: Hashable, Sendable {
    /// The request's name.
    public var name: String
    /// The entity that it fetches.
    public var entity: String
    /// The predicate as the model spells it; nil fetches all.
    public var predicate: String?

    /// Names a fetch of `entity`.
    public init(name: String, entity: String, predicate: String? = nil) {
      self.name = name
      self.entity = entity
      self.predicate = predicate
    }
  }
}
