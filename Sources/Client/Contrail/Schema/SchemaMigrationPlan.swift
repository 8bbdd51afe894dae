import Foundation
import DataModel
import ObjectStore

/// One version of an app's models, as they were shipped.
public protocol VersionedSchema {
  /// The classes.
  static var models: [any PersistentModel.Type] { get }
  /// The version.
  static var versionIdentifier: Schema.Version { get }
}

/// The versions of an app's models, in order, and what is done between them.
public protocol SchemaMigrationPlan {
  /// The versions, the oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// What is done between pairs of versions.
  static var stages: [MigrationStage] { get }
}

/// What is done to get from one version to another.
///
/// Unchecked: versions are types, which do not change, and the closures are called by whoever opens the
/// store, one after the other.
public enum MigrationStage: @unchecked Sendable {
  /// The changes are inferred.
  case lightweight(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// Code runs before and after the change: `willMigrate` on models of the old version, `didMigrate` on
  /// those of the new one.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?,
    didMigrate: ((ModelContext) throws -> Void)?)
}

extension Schema {
  /// The schema of a version.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }
}

/// A migration plan as the store takes it.
struct MigrationSteps {
  private let versions: [(type: any VersionedSchema.Type, schema: Schema)]
  private let stages: [MigrationStage]

  init(_ plan: any SchemaMigrationPlan.Type) throws {
    versions = plan.schemas.map { ($0, Schema(versionedSchema: $0)) }
    stages = plan.stages
    for version in versions { try version.schema.checkClasses("\(version.type)") }
  }

  /// The stages for the store of a configuration, which may have some of the entities only.
  func stages(_ configuration: ModelConfiguration) throws -> MigrationStages {
    let whole = try MigrationStages(
      versions: versions.map(\.schema.stored), stages: try stages.map { try stage($0, nil) })
    guard let schema = configuration.schema else { return whole }
    let names = Set(schema.stored.entities.map(\.name))
    return try MigrationStages(
      parts: versions.map { $0.schema.part(names).stored },
      stages: try stages.map { try stage($0, names) })
  }

  private func stage(_ stage: MigrationStage, _ names: Set<String>?) throws -> MigrationStages.Stage
  {
    switch stage {
    case .lightweight(let from, let to):
      return .lightweight(
        from: try schema(from).part(names).stored, to: try schema(to).part(names).stored,
        label: "\(from) to \(to)")
    case .custom(let from, let to, let willMigrate, let didMigrate):
      let (old, new) = (try schema(from).part(names), try schema(to).part(names))
      return .custom(
        from: old.stored, to: new.stored, label: "\(from) to \(to)",
        willMigrate: Self.lending(willMigrate, old), didMigrate: Self.lendingAfter(didMigrate, new))
    }
  }

  /// What the store calls before the change.
  private static func lending(
    _ body: ((ModelContext) throws -> Void)?, _ schema: Schema
  ) -> (@Sendable (ObjectStore.ModelContext) throws -> Void)? {
    guard let body else { return nil }
    nonisolated(unsafe) let lent = body
    return { context in try ModelContext.lend(context, schema, lent) }
  }

  /// What the store calls after the change.
  private static func lendingAfter(
    _ body: ((ModelContext) throws -> Void)?, _ schema: Schema
  ) -> (@Sendable (ObjectStore.ModelContext, MigrationScratch) throws -> Void)? {
    guard let body else { return nil }
    nonisolated(unsafe) let lent = body
    return { context, _ in try ModelContext.lend(context, schema, lent) }
  }

  private func schema(_ version: any VersionedSchema.Type) throws -> Schema {
    guard let found = versions.first(where: { $0.type == version }) else {
      throw StoreError(
        .migrationFailed, "\(version)", "is in a stage, but not among the plan's schemas",
        fix: "list it in `schemas`")
    }
    return found.schema
  }
}

extension Schema {
  /// The schema with these entities only; with all where there are none.
  func part(_ names: Set<String>?) -> Schema {
    guard let names else { return self }
    var part = stored
    part.entities = stored.entities.filter { names.contains($0.name) }
    return Schema(part, version: version, plans: plans, failures: failures)
  }
}

extension ModelContext {
  /// Hands a context of a migration to a closure; the migration saves what it changed.
  static func lend(
    _ context: ObjectStore.ModelContext, _ schema: Schema,
    _ body: (ModelContext) throws -> Void
  ) throws {
    let lent = ModelContext(ContainerCore(schema, context.store), context)
    try body(lent)
    try lent.throwFailures()
  }
}
