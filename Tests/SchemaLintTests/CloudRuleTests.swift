import DataModel
import SchemaFormats
import SchemaLint
import Testing

/// What no mirrored store may have, each by its name; all cases are in the rules' fixtures.
@Suite struct `What sync refuses of a schema` {
  private func document(_ label: String, _ entities: [Schema.Entity]) -> SchemaDocument {
    SchemaDocument(
      file: label, label: label, content: .objects(Schema(name: "Log", entities: entities)))
  }

  /// What is found that is an error, as rules and subjects.
  private func errors(_ entities: Schema.Entity..., promoted: [Schema.Entity] = []) -> [String] {
    let earlier = promoted.isEmpty ? [] : [document("1", promoted)]
    return Linter(profile: .cloudkit).findings(in: document("2", entities), promoted: earlier)
      .filter { $0.severity == .error }.map { "\($0.rule) \($0.subject)" }.sorted()
  }

  private func text(_ name: String) -> Schema.Attribute {
    Schema.Attribute(name: name, type: .string, isOptional: true)
  }

  @Test func `a unique constraint`() {
    #expect(
      errors(
        Schema.Entity(name: "Pilot", attributes: [text("code")], uniquenessConstraints: [["code"]]))
        == ["unique-constraint Pilot unique (code)"])
  }

  @Test func `an attribute of undefined type, and an object's identifier`() {
    let entity = Schema.Entity(
      name: "Pilot",
      attributes: [
        Schema.Attribute(name: "anything", type: .undefined, isOptional: true),
        Schema.Attribute(name: "origin", type: .objectID, isOptional: true), text("name"),
      ])
    #expect(
      errors(entity) == [
        "attribute-type-unsupported Pilot.anything", "attribute-type-unsupported Pilot.origin",
      ])
  }

  @Test func `a relationship that has to have a value, or has no inverse`() {
    let pilot = Schema.Entity(
      name: "Pilot", attributes: [text("name")],
      relationships: [
        Schema.Relationship(
          name: "plane", destination: "Plane", inverse: "pilot", isOptional: false),
        Schema.Relationship(name: "friend", destination: "Pilot"),
      ])
    let plane = Schema.Entity(
      name: "Plane", attributes: [text("name")],
      relationships: [Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "plane")])
    #expect(
      errors(pilot, plane) == [
        "inverse-missing Pilot.friend", "relationship-required Pilot.plane",
      ])
  }

  @Test func `the delete rule deny`() {
    let pilot = Schema.Entity(
      name: "Pilot", attributes: [text("name")],
      relationships: [
        Schema.Relationship(
          name: "planes", destination: "Plane", inverse: "pilot", isToMany: true, deleteRule: .deny)
      ])
    let plane = Schema.Entity(
      name: "Plane", attributes: [text("name")],
      relationships: [Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "planes")])
    #expect(errors(pilot, plane) == ["delete-rule-deny Pilot.planes"])
  }

  @Test func `a rename, which is an error for production, where it is a removal and an addition`() {
    let pilot = Schema.Entity(name: "Pilot", attributes: [text("name"), text("rank")])
    let grade = Schema.Attribute(
      name: "grade", type: .string, isOptional: true, renamingIdentifier: "rank")
    #expect(
      errors(
        Schema.Entity(name: "Pilot", attributes: [text("name"), grade]), promoted: [pilot])
        == ["renamed Pilot.grade"])
    #expect(
      errors(
        Schema.Entity(
          name: "Captain", attributes: [text("name"), text("rank")], renamingIdentifier: "Pilot"),
        promoted: [pilot]) == ["renamed Captain"])
    // Without the old name it is told as what it is.
    #expect(
      errors(
        Schema.Entity(name: "Pilot", attributes: [text("name"), text("grade")]), promoted: [pilot])
        == ["field-removed Pilot.rank"])
    #expect(
      errors(
        Schema.Entity(name: "Captain", attributes: [text("name"), text("rank")]),
        promoted: [pilot]) == ["type-removed Pilot"])
  }

  @Test func `nothing of new fields and new types, which are all that production takes`() {
    let plane = Schema.Entity(name: "Plane", attributes: [text("name")])
    #expect(
      errors(
        Schema.Entity(name: "Pilot", attributes: [text("name"), text("rank")]), plane,
        promoted: [Schema.Entity(name: "Pilot", attributes: [text("name")])]) == [])
  }

  @Test func `a field that is dropped here, and that production keeps for older apps`() {
    #expect(
      errors(
        Schema.Entity(name: "Pilot", attributes: [text("name")]),
        promoted: [Schema.Entity(name: "Pilot", attributes: [text("name"), text("rank")])])
        == ["field-removed Pilot.rank"])
  }
}
