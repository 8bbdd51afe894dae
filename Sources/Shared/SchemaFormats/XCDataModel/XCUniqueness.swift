import DataModel

/// `<uniquenessConstraints>`: sets of properties whose values no two objects share.
struct XCUniqueness {
  private let owner: String
  private var constraints: [[String]] = []
  private var seen: Set<[String]> = []

  /// Reads the constraints of the entity named `owner`, and records their places.
  static func read(
    _ element: XMLElement, of owner: String, in reading: inout XCReading
  ) throws(SchemaFormatError) -> [[String]] {
    var part = XCUniqueness(owner: owner)
    _ = try reading.fill(&part, from: element, by: rule)
    return part.constraints
  }

  private init(owner: String) { self.owner = owner }

  private static let rule = XCRule<XCUniqueness>(
    attributes: [:],
    children: [
      "uniquenessConstraint": .element { (part, element, reading) throws(SchemaFormatError) in
        var properties: [String] = []
        _ = try reading.fill(&properties, from: element, by: constraintRule)
        guard !properties.isEmpty else {
          reading.note(
            at: element.position, "a uniqueness constraint of \(part.owner) names no property")
          return
        }
        guard part.seen.insert(properties).inserted else {
          reading.note(
            at: element.position, "a uniqueness constraint of \(part.owner) stands twice")
          return
        }
        part.constraints.append(properties)
        reading.sources.record(
          .uniqueness(entity: part.owner, properties: properties), at: element.position)
      }
    ])

  private static let constraintRule = XCRule<[String]>(
    attributes: [:],
    children: [
      "constraint": .element { (properties, element, reading) throws(SchemaFormatError) in
        properties.append(
          try reading.required("value", of: element, "a property of a uniqueness constraint"))
      }
    ])
}
