import DataModel
import SchemaFormats
import Testing

@Suite struct FlightLogTests {
  @Test func `the demo's model has three versions, and nothing of them is passed over`() throws {
    let package = try XCDataModel.package(from: SchemaFiles.flightLog())
    #expect(package.versions.map(\.label) == ["FlightLog", "FlightLog 2", "FlightLog 3"])
    #expect(package.currentIndex == 2)
    #expect(package.versions.flatMap(\.notes) == [])
    #expect(
      package.versions.map { Self.schema(of: $0).entities.map(\.name) } == [
        ["LogEntry"], ["Aircraft", "Airport", "LogEntry", "Pilot"],
        ["Aircraft", "Airport", "CrewMember", "LogEntry"],
      ])
  }

  @Test func `the renames of the demo's last version are recognised`() throws {
    let package = try XCDataModel.package(from: SchemaFiles.flightLog())
    let schema = Self.schema(of: try #require(package.current))
    #expect(schema.entity("CrewMember")?.canonicalName == "Pilot")
    #expect(schema.entity("LogEntry")?.attribute("remarks")?.canonicalName == "notes")
    #expect(schema.entity("LogEntry")?.versionField == "version")
    #expect(schema.entity("Aircraft")?.naturalKey == ["tailNumber"])
  }

  private static func schema(of document: SchemaDocument) -> Schema {
    if case .objects(let schema) = document.content { schema } else { Schema() }
  }
}
