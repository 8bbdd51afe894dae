public import DataModel

/// The versions of a schema, in order, and what is done between them.
///
/// ```swift
/// let stages = try MigrationStages(
///   versions: [first, second, third],
///   stages: [
///     .custom(from: first, to: second, label: "unique names", willMigrate: removeDuplicates)
///   ])
/// options.migration = .staged(stages)
/// ```
///
/// A store of any of the versions is brought to the last, version by version. Between versions without a
/// stage of their own, and from the last version to the schema that is asked for, changes are inferred.
public struct MigrationStages: Sendable {
  /// The versions, the oldest first.
  public let versions: [Schema]
  /// What is done between pairs of versions.
  public let stages: [Stage]

  /// Takes versions and stages; throws where two versions cannot be told apart, or a stage leads from or
  /// to a version that is not listed, or back.
  public init(versions: [Schema], stages: [Stage] = []) throws(StoreError) {
    self.versions = versions
    self.stages = stages
    var places: [VersionHash: Int] = [:]
    for (index, version) in versions.enumerated() {
      if let other = places.updateValue(index, forKey: version.planHash) {
        throw StoreError(
          .migrationFailed, "migration plan",
          "versions \(other + 1) and \(index + 1) have the same hash, so no store tells which it is",
          fix: "take one out, or give an entity another hash modifier")
      }
    }
    for stage in stages {
      guard let source = places[stage.source], let target = places[stage.target] else {
        throw StoreError(
          .migrationFailed, "stage \(stage.label)", "leads from or to a version that is not listed",
          fix: "list both schemas among the versions")
      }
      if source >= target {
        throw StoreError(
          .backwardMigration, "stage \(stage.label)", "leads back to an earlier version",
          fix: "list the versions in their order, the oldest first")
      }
    }
  }

  /// Takes the parts that one store has of the versions and stages of several.
  ///
  /// Versions whose parts are equal are one for the store, and what is done between such is nothing: the stage
  /// runs for the stores whose parts differ.
  package init(parts: [Schema], stages: [Stage]) throws(StoreError) {
    let last = Dictionary(
      parts.enumerated().map { ($1.planHash, $0) }, uniquingKeysWith: { max($0, $1) })
    try self.init(
      versions: parts.indices.filter { last[parts[$0].planHash] == $0 }.map { parts[$0] },
      stages: stages.filter { stage in
        guard let source = last[stage.source], let target = last[stage.target] else { return true }
        return source < target
      })
  }

  /// What is done to get from one version to another.
  public struct Stage: Sendable {
    /// What messages and the journal call it.
    public let label: String
    let source: VersionHash
    let target: VersionHash
    let willMigrate: (@Sendable (ModelContext) throws -> Void)?
    let didMigrate: (@Sendable (ModelContext, MigrationScratch) throws -> Void)?
    let isCustom: Bool
    /// Whether what the stage's code writes is sent to other devices.
    var sendsValues = false
  }
}

extension MigrationStages.Stage {
  /// The changes between two versions are inferred, in one go even if there are others between them.
  public static func lightweight(
    from source: Schema, to target: Schema, label: String = "lightweight"
  ) -> Self {
    Self(
      label: label, source: source.planHash, target: target.planHash, willMigrate: nil,
      didMigrate: nil, isCustom: false)
  }

  /// Code runs before and after the change: `willMigrate` on objects of the old version, `didMigrate` on
  /// those of the new one, beside what the old version had and the new one has not.
  ///
  /// Each of the two is one transaction, with the changes saved at its end. Nothing of it stays when it
  /// throws or the process ends; it then runs again when the store is next opened.
  ///
  /// Other devices migrate their own stores, and so nothing of it is sent, unless `sendsValues` says so: for
  /// values that others cannot make, or that they shall see before they are brought up to date.
  public static func custom(
    from source: Schema, to target: Schema, label: String = "custom",
    willMigrate: (@Sendable (ModelContext) throws -> Void)? = nil,
    didMigrate: (@Sendable (ModelContext, MigrationScratch) throws -> Void)? = nil,
    sendsValues: Bool = false
  ) -> Self {
    Self(
      label: label, source: source.planHash, target: target.planHash,
      willMigrate: willMigrate, didMigrate: didMigrate, isCustom: true,
      sendsValues: sendsValues)
  }
}

extension MigrationStages {
  /// Where a store goes next.
  enum Leg {
    /// It has the schema that is asked for.
    case arrived
    /// By inference.
    case inferred(to: Schema)
    /// By a stage.
    case stage(Stage, to: Schema)
  }

  /// The next leg of a store with `stored` on its way to `asked`; nil for a version that is not listed.
  func leg(from stored: Schema, to asked: Schema) throws(StoreError) -> Leg? {
    if stored == asked { return .arrived }
    let hash = stored.planHash
    if hash == asked.planHash { return .inferred(to: asked) }
    guard let place = place(hash) else { return nil }
    let end = self.place(asked.planHash) ?? versions.count
    if place > end {
      throw StoreError(
        .backwardMigration, "the store",
        "has version \(place + 1), and version \(end + 1) is asked for",
        fix: "open it with the newer version of the program")
    }
    let stages = stages.filter { $0.source == hash && (self.place($0.target) ?? end + 1) <= end }
    if let stage = stages.first(where: \.isCustom) ?? stages.first,
      let target = self.place(stage.target)
    {
      return .stage(stage, to: versions[target])
    }
    return .inferred(to: place + 1 < versions.count ? versions[place + 1] : asked)
  }

  func place(_ hash: VersionHash) -> Int? { versions.firstIndex { $0.planHash == hash } }
}

extension Schema {
  /// What a plan knows a version by: its hash, and what makes other stores without counting in that.
  ///
  /// By Core Data's rules neither uniqueness nor external storage counts, and a plan may be about just
  /// these: names become unique, or data moves into the store.
  var planHash: VersionHash {
    var marked = self
    marked.entities = entities.map { entity in
      var entity = entity
      if !entity.uniquenessConstraints.isEmpty {
        entity.hashModifier = "\(entity.hashModifier ?? "") unique \(entity.uniquenessConstraints)"
      }
      for place in entity.attributes.indices
      where entity.attributes[place].options.contains(.externalStorage) {
        entity.attributes[place].hashModifier =
          "\(entity.attributes[place].hashModifier ?? "") external"
      }
      return entity
    }
    return marked.versionHash
  }
}
