import DataModel
import Foundation
import JSONStream
import Testing

@testable import SchemaFormats

/// `Schemas/json/contrail-schema-1.json` is for editors; the rows are what is read and written.
@Suite struct `The JSON Schema of Contrail JSON` {
  @Test func `has the keys of every part, and demands those that a reader demands`() throws {
    let head = ["$schema", "contrail", "kind"]
    try check("objects", SchemaRows.rows, and: head, demanding: ["contrail", "kind"])
    try check("records", RecordRows.rows, and: head, demanding: ["contrail", "kind"])
    try check("entity", EntityRows.rows)
    try check("attribute", PropertyRows.attribute)
    try check("relationship", PropertyRows.relationship)
    try check("fetchedProperty", EntityRows.fetchedProperty)
    try check("index", EntityRows.index)
    try check("indexElement", EntityRows.indexElement)
    try check("composite", SchemaRows.composite)
    try check("configuration", SchemaRows.configuration)
    try check("fetchRequest", SchemaRows.fetchRequest)
    try check("recordType", RecordRows.type)
    try check("field", RecordRows.field)
    try check("grant", RecordRows.grant)
  }

  @Test func `has the words of every enumeration`() throws {
    #expect(try words("fieldType") == RecordSchema.FieldType.allCases.map(\.rawValue))
    #expect(
      try words("relationship", "deleteRule")
        == Schema.Relationship.DeleteRule.allCases.map(\.rawValue))
    #expect(
      try words("indexElement", "arrangement") == Schema.Index.Arrangement.allCases.map(\.rawValue))
    let attribute = try part("attribute", "type")
    #expect(strings(attribute["examples"]) == Schema.AttributeType.known.map(\.rawValue))
    let kinds = try part("namedValue")["properties"]?.members?.map(\.key) ?? []
    #expect(
      kinds.sorted() == FieldValue.Kind.allCases.map(\.rawValue).filter { $0 != "null" }.sorted())
    #expect(
      strings(try part("double")["oneOf"]?.elements?.last?["enum"])
        == FieldValueJSON.notFinite.map(\.word))
  }

  private func check<Part>(
    _ name: String, _ rows: [JSONRow<Part>], and keys: [String] = [], demanding: [String] = []
  ) throws {
    let part = try part(name)
    #expect(part["properties"]?.members?.map(\.key) == keys + rows.map(\.key), "\(name)")
    #expect(
      strings(part["required"]) == demanding + rows.filter(\.isRequired).map(\.key), "\(name)")
    #expect(part["additionalProperties"]?.boolean == false, "\(name)")
  }

  private func words(_ name: String, _ property: String? = nil) throws -> [String] {
    strings(try part(name, property)["enum"])
  }

  private func part(_ name: String, _ property: String? = nil) throws -> JSONValue {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../Schemas/json/contrail-schema-1.json").standardized
    let root = try JSONValue(reading: Array(try Data(contentsOf: file)))
    let part = try #require(root["$defs"]?[name])
    guard let property else { return part }
    return try #require(part["properties"]?[property])
  }

  private func strings(_ value: JSONValue?) -> [String] {
    value?.elements?.compactMap(\.string) ?? []
  }
}
