import DataModel
public import Foundation
import ObjectStore
import SchemaFormats

/// What a container keeps: the entities of model classes, and how they relate.
///
/// ```swift
/// let schema = Schema([Trip.self, BucketListItem.self])
/// ```
public final class Schema: Codable, Hashable, Sendable {
  /// The version of the form in which schemas are encoded.
  public static let schemaEncodingVersion = Version(1, 0, 0)
  /// The version of the form in which this schema was encoded.
  public let encodingVersion: Version
  /// The version that its author gave the schema.
  public let version: Version
  /// The entities, sorted by name.
  public let entities: [Entity]
  /// The entities by their names.
  public let entitiesByName: [String: Entity]

  /// The plain value behind it.
  let stored: DataModel.Schema
  /// The classes of the entities; empty for a schema that was read from a file.
  let plans: [String: ModelPlan]
  /// What is wrong with the classes, which a container throws.
  let failures: [StoreError]

  /// An empty schema.
  public convenience init() { self.init([] as [any PersistentModel.Type]) }

  /// The schema of model classes, with those that they are related to or inherit from.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    let builder = SchemaBuilder(types)
    let built = builder.build()
    self.init(
      built.schema, version: version,
      plans: Dictionary(
        builder.plans.map { ($0.entityName, $0) }, uniquingKeysWith: { first, _ in first }),
      failures: built.failures)
    if built.failures.isEmpty { offerLayouts() }
  }

  /// The schema of model classes, with those that they are related to or inherit from.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  /// The schema of entities of other schemas; a container throws where one that is related to them, or that
  /// one inherits from, is not among them.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    var stored = DataModel.Schema()
    var plans: [String: ModelPlan] = [:]
    var failures: [StoreError] = []
    let names = Set(entities.map(\.name))
    for entity in entities.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      guard let own = entity.family.stored.entity(entity.name), stored.entity(entity.name) == nil
      else { continue }
      stored.entities.append(own)
      for composite in entity.family.stored.composites
      where !stored.composites.contains(where: { $0.name == composite.name }) {
        stored.composites.append(composite)
      }
      plans[entity.name] = entity.family.plans[entity.name]
      let needed = own.relationships.map(\.destination) + (own.parent.map { [$0] } ?? [])
      failures += needed.filter { !names.contains($0) }.map { other in
        StoreError(
          .invalidSchema, entity.name, "leads to \(other), which is not in the schema",
          fix: "name the entity \(other), too")
      }
    }
    self.init(stored, version: version, plans: plans, failures: failures)
  }

  init(
    _ stored: DataModel.Schema, version: Version, plans: [String: ModelPlan] = [:],
    failures: [StoreError] = []
  ) {
    var stored = stored
    stored.versionIdentifier = version.description
    self.stored = stored
    self.version = version
    self.plans = plans
    self.failures = failures
    encodingVersion = Self.schemaEncodingVersion
    entities = stored.entities.map { Entity($0, of: stored, plans) }
    entitiesByName = Dictionary(
      entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Gives classes the layouts that they have together, so that new objects are as the store wants them.
  private func offerLayouts() {
    for layout in EntityLayout.detached(of: stored) { self.plans[layout.name]?.offer(layout) }
  }

  /// The entity of a class.
  public func entity<Model: PersistentModel>(for type: Model.Type) -> Entity? {
    entitiesByName[Schema.entityName(for: type)]
  }

  /// The name of a class's entity.
  public static func entityName<Model: PersistentModel>(for type: Model.Type) -> String {
    type._$plan.entityName
  }
}

extension Schema {
  /// A version: three numbers.
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
    /// The number that changes with what is not compatible.
    public let major: Int
    /// The number that changes with what is new.
    public let minor: Int
    /// The number that changes with what is mended.
    public let patch: Int

    /// Makes a version.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    /// The numbers with dots between them.
    public var description: String { "\(major).\(minor).\(patch)" }

    /// Whether the first number that differs is smaller.
    public static func < (first: Version, second: Version) -> Bool {
      (first.major, first.minor, first.patch) < (second.major, second.minor, second.patch)
    }

    init?(text: String) {
      let numbers = text.split(separator: ".").map { Int($0) }
      guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
        let patch = numbers[2]
      else { return nil }
      self.init(major, minor, patch)
    }
  }

  /// Whether both describe the same.
  public static func == (first: Schema, second: Schema) -> Bool { first.stored == second.stored }

  /// Feeds what tells schemas apart into a hasher.
  public func hash(into hasher: inout Hasher) {
    for entity in stored.entities { hasher.combine(entity.name) }
  }
}

// A schema as text: what `syncctl lint` and git read.
extension Schema {
  /// Writes the schema as a file of Contrail's own form, which the tools read.
  public func save(to url: URL) throws {
    try Data(text().utf8).write(to: url, options: .atomic)
  }

  /// Reads a schema that `save(to:)`, or a tool, wrote; it has no classes.
  public static func load(from url: URL) throws -> Schema {
    try Schema(Array(Data(contentsOf: url)), file: url.path)
  }

  /// The schema in Contrail's own form.
  public func text() throws -> String {
    if let failure = StoreError(failures, subject: "schema") { throw failure }
    return try ContrailJSON.text(of: .objects(stored))
  }

  convenience init(_ bytes: [UInt8], file: String) throws {
    let document = try ContrailJSON.read(bytes, file: file, label: file)
    guard case .objects(let schema) = document.content else {
      throw StoreError(
        .invalidSchema, file, "holds record types, not entities",
        fix: "load a schema that Schema.save(to:) wrote")
    }
    self.init(schema, version: Version(text: schema.versionIdentifier) ?? Version(1, 0, 0))
  }

  /// Writes the schema's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text())
  }

  /// Reads the schema's text.
  public convenience init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    try self.init(Array(text.utf8), file: "schema")
  }
}

extension StoreError {
  /// One error for several; nil for none.
  init?(_ failures: [StoreError], subject: String) {
    guard let first = failures.first else { return nil }
    self =
      failures.count == 1
      ? first
      : StoreError(first.code, subject, "has \(failures.count) faults", failures: failures)
  }
}
