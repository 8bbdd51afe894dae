@testable import DataModel
import Testing

@Suite struct `A relationship becomes` {
  @Test func `one field on the child for one-to-many`() {
    let mapping = pilots(ordered: false).mapped(.native)
    #expect(fields(mapping, "Pilot", beside: clocks) == "")
    #expect(fields(mapping, "LogEntry", beside: clocks) == "pilot \(text)")
    #expect(mapping.entity("Pilot")?.properties["entries"] == .children(inverse: "pilot"))
    #expect(
      mapping.entity("LogEntry")?.properties["pilot"] == .toOne(field: "pilot", order: nil))

    let mirrored = pilots(ordered: false).mapped(.coreData)
    #expect(fields(mirrored, "CD_Pilot", beside: coreDataFields) == "")
    #expect(fields(mirrored, "CD_LogEntry", beside: coreDataFields) == "CD_pilot \(text)")
    #expect(mirrored.entity("Pilot")?.properties["entries"] == .children(inverse: "pilot"))
  }

  @Test func `a second field on the child where the parent keeps an order`() {
    let mapping = pilots(ordered: true).mapped(.native)
    #expect(
      fields(mapping, "LogEntry", beside: clocks)
        == "pilot \(text), pilot_order INT64 QUERYABLE SORTABLE")
    #expect(
      mapping.entity("LogEntry")?.properties["pilot"]
        == .toOne(field: "pilot", order: "pilot_order"))
    #expect(
      mapping.origins[.field(type: "LogEntry", name: "pilot_order")]
        == .relationship(entity: "Pilot", name: "entries"))
    // The mirroring keeps no order.
    #expect(
      fields(pilots(ordered: true).mapped(.coreData), "CD_LogEntry", beside: coreDataFields)
        == "CD_pilot \(text)")
  }

  @Test(arguments: [(MappingProfile.native, "", clocks), (.coreData, "CD_", coreDataFields)])
  func `a field at both ends for one-to-one`(
    profile: MappingProfile, prefix: String, own: [String]
  ) {
    let mapping = pair(
      .init(name: "license", destination: "License", inverse: "holder"),
      .init(name: "holder", destination: "Pilot", inverse: "license")
    ).mapped(profile)
    #expect(fields(mapping, prefix + "Pilot", beside: own) == "\(prefix)license \(text)")
    #expect(fields(mapping, prefix + "License", beside: own) == "\(prefix)holder \(text)")
  }

  @Test func `a record type of its own for many-to-many, natively`() throws {
    let mapping = pair(
      .init(
        name: "ratings", destination: "License", inverse: "pilots", isToMany: true, isOrdered: true),
      .init(name: "pilots", destination: "Pilot", inverse: "ratings", isToMany: true)
    ).mapped(.native)
    #expect(mapping.schema.types.map(\.name) == ["License", "License_pilots", "Pilot", "Users"])
    #expect(
      fields(mapping, "License_pilots", beside: clocks)
        == "source \(text), target \(text), target_order INT64 QUERYABLE SORTABLE")
    #expect(
      mapping.origins[.recordType("License_pilots")]
        == .relationship(entity: "License", name: "pilots"))
    let edge = MappedEdge(
      recordType: "License_pilots", source: .init(entity: "License", relationship: "pilots"),
      target: .init(entity: "Pilot", relationship: "ratings"),
      layout: .own(
        source: "source", target: "target", sourceOrder: nil, targetOrder: "target_order"),
      clocksField: "contrailClocks")
    #expect(mapping.entity("License")?.properties["pilots"] == .edges(edge, from: .source))
    #expect(mapping.entity("Pilot")?.properties["ratings"] == .edges(edge, from: .target))
  }

  @Test func `records of the type that all share for many-to-many in the mirroring`() {
    let mapping = pair(
      .init(name: "ratings", destination: "License", inverse: "pilots", isToMany: true),
      .init(name: "pilots", destination: "Pilot", inverse: "ratings", isToMany: true)
    ).mapped(.coreData)
    #expect(mapping.schema.types.map(\.name) == ["CDMR", "CD_License", "CD_Pilot", "Users"])
    #expect(
      fields(mapping, "CDMR")
        == "CD_entityNames \(text), CD_recordNames \(text), CD_relationships \(text)")
    let edge = MappedEdge(
      recordType: "CDMR", source: .init(entity: "License", relationship: "pilots"),
      target: .init(entity: "Pilot", relationship: "ratings"),
      layout: .shared(
        entityNames: "CD_entityNames", recordNames: "CD_recordNames",
        relationships: "CD_relationships"))
    #expect(mapping.entity("Pilot")?.properties["ratings"] == .edges(edge, from: .target))
  }

  @Test func `edges too where a to-many has no inverse, natively, and nothing in the mirroring`() {
    let schema = pair(
      .init(name: "licenses", destination: "License", isToMany: true, isOrdered: true), nil)
    let mapping = schema.mapped(.native)
    #expect(
      fields(mapping, "Pilot_licenses", beside: clocks)
        == "source \(text), source_order INT64 QUERYABLE SORTABLE, target \(text)")
    #expect(
      schema.mapped(.coreData).unmapped == [.relationship(entity: "Pilot", name: "licenses")])
  }

  @Test func `nothing where it is transient`() {
    let schema = pair(.init(name: "license", destination: "License", isTransient: true), nil)
    #expect(fields(schema.mapped(.native), "Pilot", beside: clocks) == "")
    #expect(schema.mapped(.native).entity("Pilot")?.properties == [:])
  }

  @Test func `one edge for a pair that two devices join, whichever end each begins with`() throws {
    let schema = Schema(entities: [
      .init(
        name: "Pilot",
        relationships: [
          .init(name: "friends", destination: "Pilot", inverse: "friends", isToMany: true)
        ])
    ])
    guard
      case .edges(let edge, .source) = schema.mapped(.native).entity("Pilot")?
        .properties["friends"]
    else { throw Failure() }
    let (amelia, bessie) = (try #require(RecordName("amelia")), try #require(RecordName("bessie")))
    #expect(edge.isSymmetric)
    #expect(edge.recordName(source: bessie, target: amelia)?.text == "Pilot_friends:amelia:bessie")
    #expect(edge.recordName(source: amelia, target: bessie)?.text == "Pilot_friends:amelia:bessie")
  }

  private struct Failure: Error {}

  private func pilots(ordered: Bool) -> Schema {
    Schema(entities: [
      .init(
        name: "Pilot",
        relationships: [
          .init(
            name: "entries", destination: "LogEntry", inverse: "pilot", isToMany: true,
            isOrdered: ordered)
        ]),
      .init(
        name: "LogEntry",
        relationships: [.init(name: "pilot", destination: "Pilot", inverse: "entries")]),
    ])
  }

  private func pair(_ left: Schema.Relationship, _ right: Schema.Relationship?) -> Schema {
    Schema(entities: [
      .init(name: "Pilot", relationships: [left]),
      .init(name: "License", relationships: right.map { [$0] } ?? []),
    ])
  }
}

private let clocks = ["contrailClocks"]
private let text = "STRING QUERYABLE SEARCHABLE SORTABLE"
