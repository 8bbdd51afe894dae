import DataModel
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `The additive rules` {
  /// Bad cases in which a second thing changed as well, and the rule that says so.
  private static let companions: [String: Set<String>] = [
    "field-removed/bad-in-a-renamed-entity": ["renamed"],
    "name-reused/bad-entity-name-given-up-by-a-rename": ["renamed"],
    "name-reused/bad-name-given-up-by-a-rename": ["renamed"],
    "type-changed/bad-moved-to-the-parent-too": ["version-field-missing"],
  ]

  @Test(
    arguments: try LintFixture.all.filter { fixture in
      !fixture.isFine && Rule.additive.contains { $0.id == fixture.rule }
    })
  func `find one cause once: no second rule speaks of a bad case`(_ fixture: LintFixture) throws {
    let found = try fixture.findings(of: Rule.additive).filter { $0.rule != fixture.rule }
    let others = Set(found.map(\.rule)).subtracting(Self.companions[fixture.description] ?? [])
    #expect(others == [], "\(found.map(\.message))")
  }

  @Test(arguments: try LintFixture.all)
  func `find nothing in a schema that was promoted as it is`(_ fixture: LintFixture) throws {
    let document = try fixture.current
    let linter = Linter(profile: try fixture.profile, table: Rule.additive)
    #expect(linter.findings(in: document, promoted: [document]) == [])
  }

  @Test(arguments: [
    (LintProfile.cloudkit, ["inverse-missing", "relationship-required"]),
    (LintProfile.contrail, ["inverse-missing", "required-relationship-added"]),
  ])
  func `and the rules that they sharpen tell one cause once, as the worse of the two`(
    _ profile: LintProfile, _ rules: [String]
  ) {
    func document(_ label: String, _ relationships: [Schema.Relationship]) -> SchemaDocument {
      let entry = Schema.Entity(name: "Entry", relationships: relationships)
      return SchemaDocument(
        file: label, label: label, content: .objects(Schema(entities: [entry])))
    }
    let current = document("2", [.init(name: "next", destination: "Entry", isOptional: false)])
    let found = Linter(profile: profile).findings(in: current, promoted: [document("1", [])])
    #expect(found.map(\.rule).filter { $0 != "record-name-not-queryable" } == rules)
  }

  @Test func `sharpen rules that exist`() {
    let known = Set(Rule.all.map(\.id))
    #expect(Rule.all.allSatisfy { $0.sharpens.isSubset(of: known) })
  }
}
