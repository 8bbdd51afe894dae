import DataModel

/// A composite type: `<composite>`, which holds an `<attribute>` for each member.
///
/// Some writers of the format say `<compositeAttribute>` for the type, or for a member.
struct XCComposite {
  private let name: String
  private var attributes: [Schema.Attribute] = []
  private var names = XCNames()

  /// Reads the type and records the places of its members.
  static func read(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) -> Schema.Composite {
    let name = try reading.required("name", of: element, "a composite type")
    var part = XCComposite(name: name)
    let aspects = try reading.fill(&part, from: element, by: rule)
    reading.sources.record(.composite(name), at: element.position, aspects: aspects)
    return Schema.Composite(name: name, attributes: part.attributes)
  }

  private init(name: String) { self.name = name }

  private mutating func addMember(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let (part, aspects) = try XCAttribute.read(element, of: name, in: &reading)
    let member = part.attribute.name
    try names.take(member, of: element, "in \(name)", in: reading)
    attributes.append(part.attribute)
    reading.sources.record(
      .member(composite: name, name: member), at: element.position, aspects: aspects)
  }

  private static let rule = XCRule<XCComposite>(
    attributes: ["name": .text(.name) { _, _ in }, "syncable": .ofNoConsequence],
    children: ["attribute": member, "compositeAttribute": member])

  private static let member = XCChildRule<XCComposite>.element {
    (part, element, reading) throws(SchemaFormatError) in
    try part.addMember(element, in: &reading)
  }
}
