import DataModel
import FoundationEssentials
import Testing

@testable import SchemaFormats

@Suite struct `Contrail JSON is read` {
  @Test func `whatever the order of its keys`() throws {
    let schema = try read(
      """
      {"entities": {"B": {"attributes": {"a": {"default": 1, "type": "date", "optional": false}},
        "relationships": {"r": {"maximum": 4, "toMany": true, "destination": "B"}}}, "A": {}},
       "kind": "objects", "$schema": "https://example.org/contrail-schema-1.json", "contrail": 1}
      """
    ).content
    #expect(
      schema
        == .objects(
          Schema(entities: [
            .init(name: "A"),
            .init(
              name: "B",
              attributes: [
                .init(
                  name: "a", type: .date,
                  defaultValue: .date(.init(timeIntervalSinceReferenceDate: 1)))
              ],
              relationships: [
                .init(
                  name: "r", destination: "B", isToMany: true, isOptional: false, maximumCount: 4)
              ]),
          ])))
  }

  @Test func `with types that a later release may know`() throws {
    let document = try read(
      """
      {"contrail": 1, "kind": "objects", "entities":
        {"A": {"attributes": {"a": {"type": "hologram", "default": {"string": "x"}}}}}}
      """)
    guard case .objects(let schema) = document.content else { return #expect(Bool(false)) }
    #expect(schema.entity("A")?.attribute("a")?.type == .init(rawValue: "hologram"))
  }

  @Test func `with the place of every part and of what is said of it`() throws {
    let objects = try read(FlightLog.objectsText)
    func place(_ element: SchemaElement, _ aspect: Aspect? = nil) -> String {
      let position = objects.location(of: element, aspect: aspect).position
      return "\(position.line):\(position.column)"
    }
    let remarks = SchemaElement.attribute(entity: "LogEntry", name: "remarks")
    #expect(place(.schema, .isUsedWithCloudKit) == "6:3")
    #expect(place(.entity("LogEntry")) == "8:5")
    #expect(place(.entity("LogEntry"), .naturalKey) == "9:7")
    #expect(place(remarks) == "22:9")
    #expect(place(remarks, .encrypted) == "25:11")
    #expect(place(remarks, .maximumValue) == "27:11")
    #expect(place(remarks, .defaultValue) == "22:9")
    #expect(place(.relationship(entity: "Pilot", name: "entries"), .deleteRule) == "68:11")
    #expect(place(.index(entity: "LogEntry", name: "byDuration"), .indexElements) == "43:11")
    #expect(place(.uniqueness(entity: "LogEntry", properties: ["duration", "pilot"])) == "55:9")
    #expect(place(.fetchedProperty(entity: "Pilot", name: "long"), .predicate) == "75:11")
    #expect(place(.member(composite: "Place", name: "latitude"), .type) == "84:11")
    #expect(place(.configuration("Cloud")) == "90:5")
    #expect(place(.fetchRequest("all"), .fetchEntity) == "99:7")
  }

  @Test func `with the place of every part of records`() throws {
    let records = try read(FlightLog.recordsText)
    func place(_ element: SchemaElement, _ aspect: Aspect? = nil) -> String {
      let position = records.location(of: element, aspect: aspect).position
      return "\(position.line):\(position.column)"
    }
    #expect(place(.role("moderator")) == "5:5")
    #expect(place(.recordType("LogEntry")) == "8:5")
    #expect(place(.field(type: "LogEntry", name: "tags"), .searchable) == "22:11")
    #expect(place(.field(type: "LogEntry", name: "count"), .preferredNumber) == "12:11")
    #expect(place(.grant(type: "LogEntry", role: "moderator"), .write) == "31:11")
  }

  @Test func `with columns in bytes, and lines however they end`() throws {
    let document = try read(
      "{\"contrail\": 1, \"kind\": \"records\",\r\"types\": {\r\n\"Höhe\": {}, \"B\": {}}}")
    #expect(document.location(of: .recordType("B")).description == "flight.json:3:14")
  }

  private func read(_ text: String) throws -> SchemaDocument {
    try ContrailJSON.read(Array(text.utf8), file: "flight.json", label: "flight")
  }
}
