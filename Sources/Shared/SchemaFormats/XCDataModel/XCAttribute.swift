import DataModel

/// An `<attribute>` while it is being read: what depends on its type waits for the end.
struct XCAttribute {
  var attribute: Schema.Attribute
  var defaultText: String?
  var defaultSeconds: String?
  var isDerived: Bool?
  /// Whether it carries the flag by which models made before fetch indexes ask for an index.
  var isIndexed = false

  /// Reads the attribute of `owner`, an entity or a composite type, and its place.
  static func read(
    _ element: XMLElement, of owner: String, in reading: inout XCReading
  ) throws(SchemaFormatError) -> (part: XCAttribute, aspects: XCReading.Aspects) {
    let name = try reading.required("name", of: element, "an attribute of \(owner)")
    var part = XCAttribute(attribute: Schema.Attribute(name: name, type: .undefined))
    let aspects = try reading.fill(&part, from: element, by: rule)
    part.finish()
    return (part, aspects)
  }

  private mutating func finish() {
    if attribute.renamingIdentifier == attribute.name { attribute.renamingIdentifier = nil }
    if attribute.type != .composite { attribute.compositeName = nil }
    if isDerived == true {
      attribute.derivation = attribute.derivation ?? ""
    } else if isDerived == false {
      attribute.derivation = nil
    }
    if attribute.type == .date, let defaultSeconds {
      attribute.defaultValue = XCValue.defaultDate(defaultSeconds)
    } else if let defaultText {
      attribute.defaultValue = XCValue.defaultValue(defaultText, type: attribute.type)
    }
  }
}

extension XCAttribute {
  private typealias Row = XCAttributeRule<XCAttribute>

  /// What `<attribute>` may say.
  static let rule = XCRule<XCAttribute>(
    attributes: declaration.merging(values) { first, _ in first }
      .merging(options) { first, _ in first }
      .merging(ofNoConsequence.map { ($0, .ofNoConsequence) }) { first, _ in first },
    children: [
      "userInfo": .element(.userInfo) {
        (part, element, reading) throws(SchemaFormatError) in
        part.attribute.userInfo = try XCUserInfo.read(element, in: &reading)
      }
    ])

  private static let declaration: [String: Row] = [
    "name": .text(.name) { _, _ in },
    "attributeType": .text(.type) { $0.attribute.type = XCVocabulary.attributeType($1) },
    "composite": .text(.compositeName) { $0.attribute.compositeName = XCValue.given($1) },
    "optional": .flag(.isOptional) { $0.attribute.isOptional = $1 },
    "elementID": .text(.renamingIdentifier) {
      $0.attribute.renamingIdentifier = XCValue.given($1)
    },
    "renamingIdentifier": .text(.renamingIdentifier) {
      $0.attribute.renamingIdentifier = XCValue.given($1)
    },
    "versionHashModifier": .text(.hashModifier) {
      $0.attribute.hashModifier = XCValue.given($1)
    },
  ]

  private static let values: [String: Row] = [
    "defaultValueString": .text(.defaultValue) { $0.defaultText = $1 },
    "defaultDateTimeInterval": .text(.defaultValue) { $0.defaultSeconds = $1 },
    "minValueString": .text(.minimumValue) { $0.attribute.validation.minimum = XCValue.given($1) },
    "maxValueString": .text(.maximumValue) { $0.attribute.validation.maximum = XCValue.given($1) },
    "minDateTimeInterval": .text(.minimumValue) {
      $0.attribute.validation.minimum = XCValue.given($1)
    },
    "maxDateTimeInterval": .text(.maximumValue) {
      $0.attribute.validation.maximum = XCValue.given($1)
    },
    "regularExpressionString": .text(.pattern) {
      $0.attribute.validation.pattern = XCValue.given($1)
    },
    "valueTransformerName": .text(.transformerName) {
      $0.attribute.transformerName = XCValue.given($1)
    },
    "customClassName": .text(.valueClassName) {
      $0.attribute.valueClassName = XCValue.className($1)
    },
    // An expression makes an attribute derived by itself, unless `derived` says NO.
    "derived": .flag(.derivation) { $0.isDerived = $1 },
    "derivationExpression": .text(.derivation) { $0.attribute.derivation = $1 },
  ]

  private static let options: [String: Row] = [
    "transient": option(.isTransient, .transient),
    "allowsExternalBinaryDataStorage": option(.externalStorage, .externalStorage),
    "allowsCloudEncryption": option(.encrypted, .encrypted),
    "spotlightIndexingEnabled": option(.spotlight, .spotlight),
    "preserveAfterDeletion": option(.preservedOnDeletion, .preservedOnDeletion),
    "preservesValueInHistoryOnDeletion": option(.preservedOnDeletion, .preservedOnDeletion),
    "indexed": .flag(nil) { $0.isIndexed = $1 },
  ]

  private static let ofNoConsequence = [
    "usesScalarValueType", "syncable", "storedInTruthFile", "storedInExternalRecordFile",
  ]

  private static func option(_ aspect: Aspect, _ option: Schema.Attribute.Options) -> Row {
    .flag(aspect) { part, flag in
      if flag {
        part.attribute.options.insert(option)
      } else {
        part.attribute.options.remove(option)
      }
    }
  }
}
