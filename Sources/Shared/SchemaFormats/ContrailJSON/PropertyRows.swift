import DataModel
import JSONStream

/// The keys of attributes and relationships.
enum PropertyRows {
  static let attribute: [JSONRow<Schema.Attribute>] =
    [
      // Before the default, whose text depends on it.
      JSONRow("type", .type, isRequired: true) {
        JSONValue(.string($0.type.rawValue))
      } read: {
        (value, attribute, reading) throws(SchemaFormatError) in
        attribute.type = Schema.AttributeType(rawValue: try reading.string(value))
      },
      .text("composite", .compositeName, \.compositeName),
      .flag("optional", .isOptional, \.isOptional),
      JSONRow("default", .defaultValue) { attribute in
        attribute.defaultValue.map { FieldValueJSON.json(of: $0, as: attribute.type.valueKind) }
      } read: { (value, attribute, reading) throws(SchemaFormatError) in
        attribute.defaultValue = try reading.fieldValue(value, as: attribute.type.valueKind)
      },
    ] + options.map { .option($0.name, $0.aspect, $0.option, in: \.options) } + [
      .text("derivation", .derivation, \.derivation),
      .text("transformerName", .transformerName, \.transformerName),
      .text("valueClassName", .valueClassName, \.valueClassName),
      .text("minimum", .minimumValue, \.validation.minimum),
      .text("maximum", .maximumValue, \.validation.maximum),
      .text("pattern", .pattern, \.validation.pattern),
      .text("renamingIdentifier", .renamingIdentifier, \.renamingIdentifier),
      .text("hashModifier", .hashModifier, \.hashModifier),
      .dictionary("userInfo", .userInfo, \.userInfo),
    ]

  static let options: [(name: String, aspect: Aspect, option: Schema.Attribute.Options)] = [
    ("transient", .isTransient, .transient),
    ("externalStorage", .externalStorage, .externalStorage),
    ("encrypted", .encrypted, .encrypted), ("spotlight", .spotlight, .spotlight),
    ("preservedOnDeletion", .preservedOnDeletion, .preservedOnDeletion),
    ("ephemeral", .ephemeral, .ephemeral),
    ("mergeableStorage", .mergeableStorage, .mergeableStorage),
  ]

  static let relationship: [JSONRow<Schema.Relationship>] = [
    .text("destination", .destination, isRequired: true, \.destination),
    .text("inverse", .inverse, \.inverse), .text("inverseEntity", .inverseEntity, \.inverseEntity),
    // Before the maximum, whose default depends on it.
    JSONRow("toMany", .cardinality) {
      JSONValue(true).unless(!$0.isToMany)
    } read: {
      (value, relationship, reading) throws(SchemaFormatError) in
      relationship.isToMany = try reading.boolean(value)
      relationship.maximumCount = normalMaximum(relationship)
    },
    .flag("ordered", .isOrdered, \.isOrdered), .flag("optional", .isOptional, \.isOptional),
    .flag("transient", .isTransient, \.isTransient),
    .count("minimum", .minimumCount, \.minimumCount, unless: { _ in 0 }),
    .count("maximum", .maximumCount, \.maximumCount, unless: { normalMaximum($0) }),
    .word("deleteRule", .deleteRule, \.deleteRule, unless: .nullify),
    .text("renamingIdentifier", .renamingIdentifier, \.renamingIdentifier),
    .text("hashModifier", .hashModifier, \.hashModifier),
    .dictionary("userInfo", .userInfo, \.userInfo),
  ]

  private static func normalMaximum(_ relationship: Schema.Relationship) -> Int {
    relationship.isToMany ? 0 : 1
  }
}
