import DataModel

/// The words that `contents` files use for values of ours.
enum XCVocabulary {
  private static let attributeTypes: [String: Schema.AttributeType] = [
    "": .undefined, "Undefined": .undefined, "Integer 16": .integer16, "Integer 32": .integer32,
    "Integer 64": .integer64, "Decimal": .decimal, "Double": .double, "Float": .float,
    "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binaryData, "UUID": .uuid,
    "URI": .uri, "Transformable": .transformable, "ObjectID": .objectID, "Object ID": .objectID,
    "Composite": .composite,
  ]

  /// The attribute type of that name; one that is not known keeps its name.
  static func attributeType(_ text: String) -> Schema.AttributeType {
    attributeTypes[text] ?? Schema.AttributeType(rawValue: text)
  }

  static let deleteRules: [(word: String, value: Schema.Relationship.DeleteRule)] = [
    ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
  ]

  static let arrangements: [(word: String, value: Schema.Index.Arrangement)] = [
    ("Binary", .binary), ("RTree", .rtree),
  ]

  static let orders: [(word: String, value: Bool)] = [("ascending", true), ("descending", false)]
}
