/// One comparable feature of a part: what it is called and how it is read.
///
/// The tables of these make the diff complete by construction: a feature without a row is found by
/// the test that counts a part's stored properties.
package struct AspectRow<Part>: Sendable {
  package let aspect: Aspect
  package let value: @Sendable (Part) -> AspectValue

  init(_ aspect: Aspect, _ value: @escaping @Sendable (Part) -> AspectValue) {
    self.aspect = aspect
    self.value = value
  }
}

extension Schema {
  package static let aspects: [AspectRow<Schema>] = [
    AspectRow(.name) { .text($0.name) },
    AspectRow(.versionIdentifier) { .text($0.versionIdentifier) },
    AspectRow(.isUsedWithCloudKit) { .flag($0.isUsedWithCloudKit) },
  ]
}

extension Schema.Entity {
  package static let aspects: [AspectRow<Schema.Entity>] = [
    AspectRow(.parent) { .optional($0.parent) },
    AspectRow(.isAbstract) { .flag($0.isAbstract) },
    AspectRow(.className) { .optional($0.className) },
    AspectRow(.versionField) { .optional($0.versionField) },
    AspectRow(.naturalKey) { .names($0.naturalKey) },
    AspectRow(.searchDisplayName) { .optional($0.searchDisplayName) },
    AspectRow(.renamingIdentifier) { .text($0.canonicalName) },
    AspectRow(.hashModifier) { .optional($0.hashModifier) },
    AspectRow(.userInfo) { .pairs($0.userInfo) },
  ]
}

extension Schema.Attribute {
  package static let aspects: [AspectRow<Schema.Attribute>] =
    [
      AspectRow(.type) { .text($0.type.rawValue) },
      AspectRow(.compositeName) { .optional($0.compositeName) },
      AspectRow(.isOptional) { .flag($0.isOptional) },
      AspectRow(.defaultValue) { $0.defaultValue.map { .value($0) } ?? .none },
      AspectRow(.renamingIdentifier) { .text($0.canonicalName) },
      AspectRow(.hashModifier) { .optional($0.hashModifier) },
      AspectRow(.transformerName) { .optional($0.transformerName) },
      AspectRow(.valueClassName) { .optional($0.valueClassName) },
      AspectRow(.derivation) { .optional($0.derivation) },
      AspectRow(.minimumValue) { .optional($0.validation.minimum) },
      AspectRow(.maximumValue) { .optional($0.validation.maximum) },
      AspectRow(.pattern) { .optional($0.validation.pattern) },
      AspectRow(.userInfo) { .pairs($0.userInfo) },
    ]
    + Options.aspects.map { row in
      AspectRow(row.aspect) { .flag($0.options.contains(row.option)) }
    }
}

extension Schema.Attribute.Options {
  package static let aspects: [(aspect: Aspect, option: Schema.Attribute.Options)] = [
    (.isTransient, .transient), (.externalStorage, .externalStorage), (.encrypted, .encrypted),
    (.spotlight, .spotlight), (.preservedOnDeletion, .preservedOnDeletion),
    (.ephemeral, .ephemeral), (.mergeableStorage, .mergeableStorage),
  ]
}

extension Schema.Relationship {
  package static let aspects: [AspectRow<Schema.Relationship>] = [
    AspectRow(.destination) { .text($0.destination) },
    AspectRow(.inverse) { .optional($0.inverse) },
    AspectRow(.inverseEntity) { .optional($0.inverseEntity) },
    AspectRow(.cardinality) { .text($0.isToMany ? "to-many" : "to-one") },
    AspectRow(.isOrdered) { .flag($0.isOrdered) },
    AspectRow(.isOptional) { .flag($0.isOptional) },
    AspectRow(.isTransient) { .flag($0.isTransient) },
    AspectRow(.minimumCount) { .number($0.minimumCount) },
    AspectRow(.maximumCount) { .number($0.comparableMaximum) },
    AspectRow(.deleteRule) { .text($0.deleteRule.rawValue) },
    AspectRow(.renamingIdentifier) { .text($0.canonicalName) },
    AspectRow(.hashModifier) { .optional($0.hashModifier) },
    AspectRow(.userInfo) { .pairs($0.userInfo) },
  ]

  /// A to-one relationship's 1 says no more than its cardinality, which has a row of its own.
  private var comparableMaximum: Int { !isToMany && maximumCount == 1 ? 0 : maximumCount }
}

extension Schema.FetchedProperty {
  package static let aspects: [AspectRow<Schema.FetchedProperty>] = [
    AspectRow(.isOptional) { .flag($0.isOptional) },
    AspectRow(.fetchName) { .text($0.request.name) },
    AspectRow(.fetchEntity) { .text($0.request.entity) },
    AspectRow(.predicate) { .optional($0.request.predicate) },
  ]
}

extension Schema.Index {
  package static let aspects: [AspectRow<Schema.Index>] = [
    AspectRow(.indexElements) { .names($0.elements.map(\.shown)) },
    AspectRow(.predicate) { .optional($0.predicate) },
  ]
}

extension Schema.Index.Element {
  /// The column as a message shows it; differs whenever the column does, since it is also what the
  /// diff compares.
  package var shown: String {
    let column = isExpression ? "(\(subject))" : AspectText.unambiguous(subject)
    return column
      + (arrangement == .binary ? "" : " \(arrangement.rawValue)")
      + (isAscending ? "" : " descending")
  }
}

/// Names within a longer text that is compared.
private enum AspectText {
  private static let separators = Set(" ()=\"\\".utf8)

  /// The name as it is, where that is plain; else in quotes, so that no other name reads the same.
  static func unambiguous(_ name: String) -> String {
    name.isEmpty || name.utf8.contains(where: separators.contains) || name == "descending"
      ? quoted(name) : name
  }

  private static func quoted(_ name: String) -> String {
    let escaped = name.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
    }
    return "\"\(escaped.joined())\""
  }
}

extension Schema.Configuration {
  package static let aspects: [AspectRow<Schema.Configuration>] = [
    AspectRow(.memberEntities) { .names($0.entities) },
    AspectRow(.isUsedWithCloudKit) { .flag($0.isUsedWithCloudKit) },
  ]
}

extension Schema.FetchRequest {
  package static let aspects: [AspectRow<Schema.FetchRequest>] = [
    AspectRow(.fetchEntity) { .text($0.entity) },
    AspectRow(.predicate) { .optional($0.predicate) },
  ]
}

extension RecordSchema.Field {
  package static let aspects: [AspectRow<RecordSchema.Field>] = [
    AspectRow(.type) { .text($0.type.rawValue) },
    AspectRow(.isList) { .flag($0.isList) },
    AspectRow(.isEncrypted) { .flag($0.isEncrypted) },
    AspectRow(.queryable) { .flag($0.indexes.contains(.queryable)) },
    AspectRow(.searchable) { .flag($0.indexes.contains(.searchable)) },
    AspectRow(.sortable) { .flag($0.indexes.contains(.sortable)) },
    AspectRow(.preferredNumber) { .optional($0.preferredNumber?.rawValue) },
  ]
}

extension RecordSchema.Grant {
  package static let aspects: [AspectRow<RecordSchema.Grant>] = [
    AspectRow(.read) { .flag($0.permissions.contains(.read)) },
    AspectRow(.create) { .flag($0.permissions.contains(.create)) },
    AspectRow(.write) { .flag($0.permissions.contains(.write)) },
  ]
}

extension AspectValue {
  /// Annotations, in a fixed order.
  fileprivate static func pairs(_ pairs: [String: String]) -> AspectValue {
    pairs.isEmpty
      ? .none
      : .names(
        pairs.sorted { $0.key < $1.key }.map { "\(AspectText.unambiguous($0.key))=\($0.value)" })
  }
}
