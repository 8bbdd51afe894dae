import DataModel
import JSONStream

/// The keys of a schema's objects.
enum SchemaRows {
  static let rows: [JSONRow<Schema>] = [
    .text("name", .name, \.name), .text("version", .versionIdentifier, \.versionIdentifier),
    .flag("usedWithCloudKit", .isUsedWithCloudKit, \.isUsedWithCloudKit),
    .parts(
      "entities", \.entities, name: \.name, make: { Schema.Entity(name: $0) },
      rows: EntityRows.rows
    ) { .entity($1) },
    .parts(
      "composites", \.composites, name: \.name, make: { .init(name: $0, attributes: []) },
      rows: composite
    ) { .composite($1) },
    .parts(
      "configurations", \.configurations, name: \.name, make: { .init(name: $0, entities: []) },
      rows: configuration
    ) { .configuration($1) },
    .parts(
      "fetchRequests", \.fetchRequests, name: \.name, make: { .init(name: $0, entity: "") },
      rows: fetchRequest
    ) { .fetchRequest($1) },
  ]

  static let composite: [JSONRow<Schema.Composite>] = [
    .parts(
      "attributes", \.attributes, name: \.name, make: { .init(name: $0, type: .undefined) },
      rows: PropertyRows.attribute
    ) { .member(composite: $0.name, name: $1) }
  ]

  static let configuration: [JSONRow<Schema.Configuration>] = [
    .names("entities", .memberEntities, \.entities),
    .flag("usedWithCloudKit", .isUsedWithCloudKit, \.isUsedWithCloudKit),
  ]

  static let fetchRequest: [JSONRow<Schema.FetchRequest>] = [
    .text("entity", .fetchEntity, isRequired: true, \.entity),
    .text("predicate", .predicate, \.predicate),
  ]
}
