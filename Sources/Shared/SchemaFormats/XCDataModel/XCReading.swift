import DataModel

/// One reading of a `contents` file: where its parts stand, and what was passed over.
struct XCReading {
  /// The features of a part that its element spells, and where.
  typealias Aspects = [(aspect: Aspect, position: SourcePosition)]

  let file: String
  var sources = SourceMap()
  private(set) var notes: [SchemaNote] = []

  init(file: String) { self.file = file }

  /// Fills `part` in by the table for its kind of element; returns where its features stand.
  mutating func fill<Part>(
    _ part: inout Part, from element: XMLElement, by rule: XCRule<Part>
  ) throws(SchemaFormatError) -> Aspects {
    var aspects: Aspects = []
    aspects.reserveCapacity(element.attributes.count)
    for attribute in element.attributes {
      guard let row = rule.attributes[attribute.name] else {
        let found = "\(attribute.name)=\(XCValue.shown(attribute.value)) of <\(element.name)>"
        note(at: attribute.namePosition, "\(found) is not known and was passed over")
        continue
      }
      try row.apply?(&part, attribute, self)
      if let aspect = row.aspect { aspects.append((aspect, attribute.namePosition)) }
    }
    for child in element.children {
      guard let row = rule.children[child.name] else {
        note(
          at: child.position,
          "<\(child.name)> inside <\(element.name)> is not known and was passed over")
        continue
      }
      try row.apply?(&part, child, &self)
      if let aspect = row.aspect { aspects.append((aspect, child.position)) }
    }
    if !element.text.utf8.allSatisfy(\.isXMLSpace) {
      note(at: element.position, "text inside <\(element.name)> means nothing and was passed over")
    }
    return aspects
  }

  /// Notes something that was passed over.
  mutating func note(at position: SourcePosition, _ message: String) {
    notes.append(
      SchemaNote(location: SourceLocation(file: file, position: position), message: message))
  }

  /// An error at the value of `attribute`.
  func error(at attribute: XMLAttribute, expected: String) -> SchemaFormatError {
    error(at: attribute.valuePosition, expected: expected, found: XCValue.shown(attribute.value))
  }

  /// An error at `position`.
  func error(at position: SourcePosition, expected: String, found: String) -> SchemaFormatError {
    SchemaFormatError(
      at: SourceLocation(file: file, position: position), expected: expected, found: found)
  }

  /// The value of an XML attribute that must be there and say something; `whose` names the part.
  func required(
    _ name: String, of element: XMLElement, _ whose: String
  ) throws(SchemaFormatError) -> String {
    guard let attribute = element.attribute(name) else {
      throw error(
        at: element.position, expected: "\(name)=\"…\" for \(whose)",
        found: "<\(element.name)> without it")
    }
    guard !attribute.value.isEmpty else {
      throw error(at: attribute.valuePosition, expected: "a \(name) for \(whose)", found: "nothing")
    }
    return attribute.value
  }
}

/// The names that were given so far, to refuse a second one.
struct XCNames {
  private var places: [String: SourcePosition] = [:]

  /// Takes the `name` of `element`, unless another part has it; `where` ends "a name of its own …".
  mutating func take(
    _ name: String, of element: XMLElement, _ place: String, in reading: borrowing XCReading
  ) throws(SchemaFormatError) {
    if let first = places.updateValue(element.position, forKey: name) {
      throw reading.error(
        at: element.attribute("name")?.valuePosition ?? element.position,
        expected: "a name of its own \(place)",
        found: "a second \(XCValue.shown(name)), after the one in line \(first.line)")
    }
  }
}
