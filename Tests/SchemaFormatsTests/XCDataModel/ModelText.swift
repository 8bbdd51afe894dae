import DataModel
import SchemaFormats
import Testing

/// Reads models that a test spells out.
enum ModelText {
  /// The document that a model with `body` inside describes; the body begins in line 2.
  static func model(
    _ body: String, attributes: String = ""
  ) throws(SchemaFormatError) -> SchemaDocument {
    try XCDataModel.document(
      contents: Array("<model\(attributes)>\n\(body)\n</model>".utf8), file: "contents",
      label: "FlightLog 2", name: "FlightLog")
  }

  /// The schema of such a model, of which nothing may be passed over.
  static func schema(_ body: String, attributes: String = "") throws -> Schema {
    let document = try model(body, attributes: attributes)
    #expect(document.notes == [])
    guard case .objects(let schema) = document.content else {
      Issue.record("a model holds objects")
      return Schema()
    }
    return schema
  }

  /// The attribute that `words` spell, in an entity of its own.
  static func attribute(_ words: String) throws -> Schema.Attribute {
    let schema = try schema("<entity name=\"E\"><attribute name=\"a\" \(words)/></entity>")
    return try #require(schema.entity("E")?.attribute("a"))
  }

  /// The relationship that `words` spell, from an entity of its own to `Aircraft`.
  static func relationship(_ words: String) throws -> Schema.Relationship {
    let schema = try schema(
      """
      <entity name="E">
        <relationship name="r" destinationEntity="Aircraft" \(words)/>
      </entity>
      """)
    return try #require(schema.entity("E")?.relationship("r"))
  }
}
