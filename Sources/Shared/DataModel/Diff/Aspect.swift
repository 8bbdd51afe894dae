/// One feature of a part of a schema that can differ between versions.
public enum Aspect: String, Hashable, Sendable, CaseIterable {
  // Every part that can be renamed.
  case renamingIdentifier, hashModifier, userInfo
  // Schema.
  case name, versionIdentifier, isUsedWithCloudKit
  // Entity.
  case parent, isAbstract, className, versionField, naturalKey, searchDisplayName
  // Property.
  case isOptional, isTransient
  // Attribute.
  case type, compositeName, defaultValue, externalStorage, encrypted, spotlight
  case preservedOnDeletion, ephemeral, mergeableStorage, transformerName, valueClassName
  case derivation, minimumValue, maximumValue, pattern
  // Relationship.
  case destination, inverse, inverseEntity, cardinality, isOrdered, minimumCount, maximumCount
  case deleteRule
  // Index, configuration, fetch.
  case indexElements, predicate, memberEntities, fetchEntity, fetchName
  // Record field and grant.
  case isList, isEncrypted, queryable, searchable, sortable, preferredNumber
  case read, create, write
}

extension Aspect {
  /// The feature in words, for the middle of a sentence.
  public var words: String { Self.wording[self] ?? rawValue }

  private static let wording: [Aspect: String] = [
    .renamingIdentifier: "renaming identifier", .hashModifier: "hash modifier",
    .userInfo: "user info", .versionIdentifier: "version identifier",
    .isUsedWithCloudKit: "used with CloudKit", .isAbstract: "abstract", .className: "class name",
    .versionField: "version field", .naturalKey: "natural key",
    .searchDisplayName: "search display name", .isOptional: "optional", .isTransient: "transient",
    .compositeName: "composite type", .defaultValue: "default value",
    .externalStorage: "external storage", .spotlight: "search indexing",
    .preservedOnDeletion: "preserved on deletion", .mergeableStorage: "mergeable storage",
    .transformerName: "transformer", .valueClassName: "value class",
    .minimumValue: "minimum value", .maximumValue: "maximum value",
    .inverseEntity: "entity of the inverse", .isOrdered: "ordered",
    .minimumCount: "minimum count", .maximumCount: "maximum count", .deleteRule: "delete rule",
    .indexElements: "indexed properties", .memberEntities: "member entities",
    .fetchEntity: "fetched entity", .fetchName: "fetch name", .isList: "list",
    .isEncrypted: "encrypted", .preferredNumber: "preferred number",
  ]
}

/// What an aspect was or became, for comparing and for showing.
public enum AspectValue: Hashable, Sendable {
  /// Nothing is set.
  case none
  /// Yes or no.
  case flag(Bool)
  /// A count.
  case number(Int)
  /// A word or text.
  case text(String)
  /// A value.
  case value(FieldValue)
  /// Several names, in order.
  case names([String])
}

extension AspectValue: CustomStringConvertible {
  /// The value as a message shows it.
  public var description: String {
    switch self {
    case .none: "none"
    case .flag(let flag): flag ? "yes" : "no"
    case .number(let number): String(number)
    case .text(let text): text
    case .value(let value): value.shown
    case .names(let names): names.isEmpty ? "none" : names.joined(separator: ", ")
    }
  }

  /// Text, or none.
  package static func optional(_ text: String?) -> AspectValue { text.map { .text($0) } ?? .none }
}
