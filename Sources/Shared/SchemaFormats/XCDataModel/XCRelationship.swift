import DataModel

/// A `<relationship>` while it is being read: its cardinality is spelled by two XML attributes.
struct XCRelationship {
  var relationship: Schema.Relationship
  var saysToMany: Bool?
  var maximumCount: Int?

  /// Reads the relationship of the entity named `owner`, and its place.
  static func read(
    _ element: XMLElement, of owner: String, in reading: inout XCReading
  ) throws(SchemaFormatError) -> (part: Schema.Relationship, aspects: XCReading.Aspects) {
    let name = try reading.required("name", of: element, "a relationship of \(owner)")
    let destination = try reading.required(
      "destinationEntity", of: element, "the relationship \(owner).\(name)")
    var part = XCRelationship(
      relationship: Schema.Relationship(name: name, destination: destination, isOptional: false))
    let aspects = try reading.fill(&part, from: element, by: rule)
    part.finish()
    if part.saysToMany == true, part.maximumCount == 1 {
      reading.note(
        at: element.position,
        "\(owner).\(name) is to-many with maxCount=\"1\", which Core Data takes as to-one")
    }
    return (part.relationship, aspects)
  }

  /// A count of 1 makes a to-one, another count a to-many, as in Core Data; without a count the
  /// flag decides, and without both it is a to-one.
  private mutating func finish() {
    relationship.isToMany = maximumCount.map { $0 != 1 } ?? (saysToMany == true)
    relationship.maximumCount = maximumCount ?? (relationship.isToMany ? 0 : 1)
    if relationship.renamingIdentifier == relationship.name {
      relationship.renamingIdentifier = nil
    }
    if relationship.inverse == nil || relationship.inverseEntity == relationship.destination {
      relationship.inverseEntity = nil
    }
  }
}

extension XCRelationship {
  private typealias Row = XCAttributeRule<XCRelationship>

  /// What `<relationship>` may say.
  static let rule = XCRule<XCRelationship>(
    attributes: declaration.merging(counts) { first, _ in first }
      .merging(ofNoConsequence.map { ($0, .ofNoConsequence) }) { first, _ in first },
    children: [
      "userInfo": .element(.userInfo) {
        (part, element, reading) throws(SchemaFormatError) in
        part.relationship.userInfo = try XCUserInfo.read(element, in: &reading)
      }
    ])

  private static let declaration: [String: Row] = [
    "name": .text(.name) { _, _ in },
    "destinationEntity": .text(.destination) { _, _ in },
    "inverseName": .text(.inverse) { $0.relationship.inverse = XCValue.given($1) },
    "inverseEntity": .text(.inverseEntity) {
      $0.relationship.inverseEntity = XCValue.given($1)
    },
    "optional": .flag(.isOptional) { $0.relationship.isOptional = $1 },
    "transient": .flag(.isTransient) { $0.relationship.isTransient = $1 },
    "deletionRule": .word(.deleteRule, of: XCVocabulary.deleteRules) {
      $0.relationship.deleteRule = $1
    },
    "elementID": .text(.renamingIdentifier) {
      $0.relationship.renamingIdentifier = XCValue.given($1)
    },
    "renamingIdentifier": .text(.renamingIdentifier) {
      $0.relationship.renamingIdentifier = XCValue.given($1)
    },
    "versionHashModifier": .text(.hashModifier) {
      $0.relationship.hashModifier = XCValue.given($1)
    },
  ]

  private static let counts: [String: Row] = [
    "toMany": .flag(.cardinality) { $0.saysToMany = $1 },
    "maxCount": .count(.cardinality) { $0.maximumCount = $1 },
    "minCount": .count(.minimumCount) { $0.relationship.minimumCount = $1 },
    "ordered": .flag(.isOrdered) { $0.relationship.isOrdered = $1 },
  ]

  private static let ofNoConsequence = [
    "syncable", "spotlightIndexingEnabled", "storedInTruthFile", "storedInExternalRecordFile",
  ]
}
