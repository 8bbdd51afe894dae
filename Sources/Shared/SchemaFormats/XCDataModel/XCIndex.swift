import DataModel

/// A `<fetchIndex>`: properties or expressions by which objects are found fast.
enum XCIndex {
  /// Reads the index of the entity named `owner`, and its place.
  static func read(
    _ element: XMLElement, of owner: String, in reading: inout XCReading
  ) throws(SchemaFormatError) -> (part: Schema.Index, aspects: XCReading.Aspects) {
    let name = try reading.required("name", of: element, "an index of \(owner)")
    var index = Schema.Index(name: name, elements: [])
    let aspects = try reading.fill(&index, from: element, by: rule)
    return (index, aspects)
  }

  /// The index that the old flag `indexed="YES"` asks for.
  ///
  /// It is binary and ascending, and `isbn` gives it the name `byIsbnIndex`: that is what Xcode
  /// makes of the flag when it saves an old model anew, so that saving alone is no change.
  static func legacy(_ property: String) -> Schema.Index {
    let name = "by\(property.prefix(1).uppercased())\(property.dropFirst())Index"
    return Schema.Index(name: name, elements: [Schema.Index.Element(property)])
  }

  private static let rule = XCRule<Schema.Index>(
    attributes: [
      "name": .text(.name) { _, _ in },
      // No model that we know has a partial index; the spelling follows Core Data's own property,
      // and that of predicates elsewhere in the format.
      "partialIndexPredicate": .text(.predicate) { $0.predicate = XCValue.given($1) },
      "predicateString": .text(.predicate) { $0.predicate = XCValue.given($1) },
      "syncable": .ofNoConsequence,
    ],
    children: [
      "fetchIndexElement": .element(.indexElements) {
        (index, element, reading) throws(SchemaFormatError) in
        var part = Element()
        _ = try reading.fill(&part, from: element, by: elementRule)
        guard let subject = part.property ?? part.expression else {
          throw reading.error(
            at: element.position, expected: "property=\"…\" or expression=\"…\" for an index",
            found: "<\(element.name)> with neither")
        }
        index.elements.append(
          Schema.Index.Element(
            subject, isExpression: part.property == nil, arrangement: part.arrangement,
            isAscending: part.isAscending))
      }
    ])

  private struct Element {
    var property: String?
    var expression: String?
    var arrangement = Schema.Index.Arrangement.binary
    var isAscending = true
  }

  private static let elementRule = XCRule<Element>(attributes: [
    "property": .text(nil) { $0.property = XCValue.given($1) },
    "expression": .text(nil) { $0.expression = XCValue.given($1) },
    "expressionType": .ofNoConsequence,
    "type": .word(nil, of: XCVocabulary.arrangements) { $0.arrangement = $1 },
    "order": .word(nil, of: XCVocabulary.orders) { $0.isAscending = $1 },
  ])
}
