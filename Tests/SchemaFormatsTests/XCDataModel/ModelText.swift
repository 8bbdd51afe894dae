import DataModel
import SchemaFormats
import Testing

/// The document that a model with `body` inside describes; the body begins in line 2.
func model(_ body: String, attributes: String = "") throws(SchemaFormatError) -> SchemaDocument {
  try XCDataModel.document(
    contents: Array("<model\(attributes)>\n\(body)\n</model>".utf8), file: "contents",
    label: "FlightLog 2", name: "FlightLog")
}

/// The schema of such a model.
func schema(_ body: String, attributes: String = "") throws -> Schema {
  let document = try model(body, attributes: attributes)
  #expect(document.notes == [])
  guard case .objects(let schema) = document.content else {
    Issue.record("a model holds objects")
    return Schema()
  }
  return schema
}

/// The attribute that `xml` spells, in an entity of its own.
func attribute(_ xml: String) throws -> Schema.Attribute {
  let schema = try schema("<entity name=\"E\"><attribute name=\"a\" \(xml)/></entity>")
  return try #require(schema.entity("E")?.attribute("a"))
}

/// The relationship that `xml` spells, from an entity of its own to `Aircraft`.
func relationship(_ xml: String) throws -> Schema.Relationship {
  let schema = try schema(
    "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"Aircraft\" \(xml)/></entity>")
  return try #require(schema.entity("E")?.relationship("r"))
}
