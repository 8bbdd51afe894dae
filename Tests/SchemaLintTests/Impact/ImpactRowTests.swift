import DataModel
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `An older app` {
  private typealias Entity = Schema.Entity
  private typealias Attribute = Schema.Attribute

  private func sentences(
    _ old: [Schema.Entity], _ new: [Schema.Entity], _ profile: LintProfile = .cloudkit
  ) -> [String] {
    func document(_ label: String, _ entities: [Schema.Entity]) -> SchemaDocument {
      SchemaDocument(
        file: label, label: label, content: .objects(Schema(entities: entities)))
    }
    return ImpactReport(of: document("2", new), on: [document("1", old)], profile: profile)
      .versions.flatMap(\.entries).map(\.sentence)
  }

  private func entry(_ attributes: Schema.Attribute...) -> [Schema.Entity] {
    [Schema.Entity(name: "Entry", attributes: attributes)]
  }

  @Test func `goes on showing what was removed, with what it shows for new objects`() {
    #expect(
      sentences(
        entry(
          .init(name: "duration", type: .double, defaultValue: .double(0)),
          .init(name: "note", type: .string, isOptional: true),
          .init(name: "title", type: .string, isOptional: true)),
        entry(.init(name: "title", type: .string, isOptional: true))) == [
          "goes on showing Entry.duration, which newer apps no longer fill: objects that they make "
            + "show 0.0",
          "goes on showing Entry.note, which newer apps no longer fill: objects that they make show "
            + "nothing there",
        ])
  }

  @Test func `goes by the old name of what was renamed`() {
    #expect(
      sentences(
        entry(.init(name: "arrival", type: .date, isOptional: true)),
        [
          Schema.Entity(
            name: "Flight",
            attributes: [
              .init(
                name: "landedAt", type: .date, isOptional: true, renamingIdentifier: "arrival")
            ], renamingIdentifier: "Entry")
        ]) == [
          "goes on making Entry objects, and does not see Flight objects, as newer apps make them",
          "goes on showing Flight.arrival, and newer apps fill Flight.landedAt in its place: "
            + "objects that they make show nothing there",
        ])
  }

  @Test func `cannot read a field of another type, and misreads one of the same`() {
    #expect(
      sentences(
        entry(
          .init(name: "code", type: .string, isOptional: true),
          .init(name: "duration", type: .double, isOptional: true)),
        entry(
          .init(name: "code", type: .uuid, isOptional: true),
          .init(name: "duration", type: .string, isOptional: true))) == [
          "reads Entry.code as string, and newer apps write uuid",
          "cannot read Entry.duration as newer apps write it: it was double and is string",
        ])
  }

  @Test func `shows defaults where newer apps have a value to show`() {
    #expect(
      sentences(
        entry(
          .init(name: "crew", type: .integer16, defaultValue: .integer(1)),
          .init(name: "rating", type: .integer16, isOptional: true)),
        entry(
          .init(name: "crew", type: .integer16, defaultValue: .integer(2)),
          .init(name: "gate", type: .string, defaultValue: .string("A")),
          .init(name: "rating", type: .integer16, defaultValue: .integer(3)))) == [
          "does not see Entry.gate, and objects that it makes show \"A\" in newer apps",
          "shows 1 where Entry.crew was never set, and newer apps show 2",
          "goes on making objects without Entry.rating, which show 3 in newer apps",
        ])
  }

  @Test func `does not find objects under another root, in Core Data's layout only`() {
    let flight = Schema.Entity(name: "Flight")
    let child = Schema.Entity(name: "Flight", parent: "Event")
    let event = Schema.Entity(name: "Event", isAbstract: true)
    #expect(
      sentences([flight], [event, child]) == [
        "does not see Flight objects that newer apps make, whose records are of the type CD_Event"
      ])
    #expect(sentences([flight], [event, child], .contrail).isEmpty)
  }

  @Test func `deletes by its own rules and counts by its own limits`() {
    func pilot(
      _ rule: Schema.Relationship.DeleteRule, maximum: Int
    ) -> [Schema.Entity] {
      [
        Schema.Entity(
          name: "Entry",
          relationships: [.init(name: "pilot", destination: "Pilot", inverse: "entries")]),
        Schema.Entity(
          name: "Pilot",
          relationships: [
            .init(
              name: "entries", destination: "Entry", inverse: "pilot", isToMany: true,
              maximumCount: maximum, deleteRule: rule)
          ]),
      ]
    }
    #expect(
      sentences(pilot(.nullify, maximum: 0), pilot(.cascade, maximum: 9)) == [
        "goes by no maximum count of Pilot.entries, and newer apps by the maximum count 9",
        "goes by the delete rule nullify of Pilot.entries, and newer apps by cascade",
      ])
  }

  @Test func `meets record files as what they say of fields, indexes and grants`() {
    func document(_ label: String, _ type: RecordSchema.RecordType) -> SchemaDocument {
      SchemaDocument(
        file: label, label: label, content: .records(RecordSchema(types: [type])))
    }
    let report = ImpactReport(
      of: document(
        "2",
        .init(
          name: "Entry",
          fields: [
            .init(name: "crew", type: .string, isList: true), .init(name: "gate", type: .string),
          ], grants: [.init(to: "_world", .read)])),
      on: [
        document(
          "1",
          .init(
            name: "Entry",
            fields: [
              .init(name: "crew", type: .string, indexes: .queryable),
              .init(name: "note", type: .string),
            ], grants: [.init(to: "_world", [.read, .write])]))
      ], profile: .contrail)
    #expect(
      report.text == """
        1
          does not see Entry.gate, and keeps its value when it edits a record
          goes on showing Entry.note, which newer apps no longer fill
          cannot read Entry.crew as newer apps write it: it is a list now
          gets errors for queries that need Entry.crew to be queryable
          may not write Entry records for users in the role _world
        1 older version · 1 unseen, 1 stale, 3 refused
        """)
  }
}
