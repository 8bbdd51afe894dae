import DataModel

/// A `<fetchRequest>`, of the model or of a fetched property.
enum XCFetchRequest {
  /// Reads the request; `whose` names what it belongs to.
  static func read(
    _ element: XMLElement, _ whose: String, in reading: inout XCReading
  ) throws(SchemaFormatError) -> (part: Schema.FetchRequest, aspects: XCReading.Aspects) {
    var request = Schema.FetchRequest(
      name: try reading.required("name", of: element, whose),
      entity: try reading.required("entity", of: element, whose))
    let aspects = try reading.fill(&request, from: element, by: rule)
    return (request, aspects)
  }

  private static let rule = XCRule<Schema.FetchRequest>(
    attributes: [
      "name": .text(.fetchName) { _, _ in },
      "entity": .text(.fetchEntity) { _, _ in },
      "predicateString": .text(.predicate) { $0.predicate = XCValue.given($1) },
    ].merging(ofNoConsequence.map { ($0, .ofNoConsequence) }) { first, _ in first })

  /// How results are loaded, cut off and shaped: no part of a schema, which keeps only what a
  /// request refers to, its entity and its predicate.
  private static let ofNoConsequence = [
    "fetchLimit", "resultType", "includeSubentities", "includesSubentities",
    "returnDistinctResults", "returnsDistinctResults",
    "fetchBatchSize", "includePropertyValues", "includesPropertyValues", "includePendingChanges",
    "includesPendingChanges", "returnObjectsAsFaults", "returnsObjectsAsFaults", "syncable",
  ]
}

/// A `<fetchedProperty>`, whose value is the result of the request inside it.
struct XCFetchedProperty {
  private var isOptional = false
  private var request: Schema.FetchRequest?
  private var requestAspects: XCReading.Aspects = []

  /// Reads the fetched property of the entity named `owner`, and its place.
  static func read(
    _ element: XMLElement, of owner: String, in reading: inout XCReading
  ) throws(SchemaFormatError) -> (part: Schema.FetchedProperty, aspects: XCReading.Aspects) {
    let name = try reading.required("name", of: element, "a fetched property of \(owner)")
    var part = XCFetchedProperty()
    let aspects = try reading.fill(&part, from: element, by: rule)
    guard let request = part.request else {
      throw reading.error(
        at: element.position, expected: "a <fetchRequest> in the fetched property \(owner).\(name)",
        found: "none")
    }
    return (
      Schema.FetchedProperty(name: name, isOptional: part.isOptional, request: request),
      aspects + part.requestAspects
    )
  }

  private static let rule = XCRule<XCFetchedProperty>(
    attributes: [
      "name": .text(.name) { _, _ in },
      "optional": .flag(.isOptional) { $0.isOptional = $1 },
      "transient": .ofNoConsequence, "syncable": .ofNoConsequence,
      "spotlightIndexingEnabled": .ofNoConsequence,
    ],
    children: [
      "fetchRequest": .element { (part, element, reading) throws(SchemaFormatError) in
        (part.request, part.requestAspects) = try XCFetchRequest.read(
          element, "a fetch request", in: &reading)
      },
      "userInfo": .element { (_, element, reading) throws(SchemaFormatError) in
        let info = try XCUserInfo.read(element, in: &reading)
        if !info.isEmpty {
          reading.note(at: element.position, "user info of a fetched property was passed over")
        }
      },
    ])
}
