import Foundation
import SchemaLint
import Testing

@Suite struct `The explanation of a rule` {
  @Test func `says what it demands, why, how to mend a finding, and how to waive it`() {
    #expect(
      RuleReference.explanation(
        of: "delete-rule-no-action", rules: rules,
        example: RuleExample(language: "xml", schema: "<model>\n</model>\n", findings: ["1:1 bad"]))
          == """
          delete-rule-no-action  (cloudkit: warning, contrail: warning)

          No relationship has no delete rule.

            why  the other side holds a reference to nothing
            fix  use nullify

          This breaks it:

            <model>
            </model>

            1:1 bad

          To accept a finding for a while, add this to contrail-lint.json beside the schema
          ("Entity.*" accepts it for a whole entity; leave "expires" out to accept it for ever):

            {
              "waivers": [
                {
                  "rule": "delete-rule-no-action",
                  "subject": "Entity.property",
                  "reason": "why this is acceptable",
                  "expires": "2027-03-01"
                }
              ]
            }

          To give the rule another severity, or to switch it off:

            { "rules": { "delete-rule-no-action": "off" } }

          """)
  }

  @Test(arguments: Rule.all)
  func `holds JSON that the configuration accepts as it is`(_ rule: Rule) throws {
    let text = try #require(RuleReference.explanation(of: rule.id))
    let start = try #require(text.range(of: "{\n    \"waivers\""))
    let end = try #require(text.range(of: "\n  }\n", range: start.upperBound..<text.endIndex))
    let json = Array(text[start.lowerBound..<end.upperBound].utf8)
    let configuration = try LintConfiguration(reading: json, file: "contrail-lint.json")
    #expect(configuration.waivers.map(\.rule) == [rule.id])
  }

  @Test func `is there for what the lint says of its own files`() {
    #expect(
      RuleReference.explanation(of: "waiver-unused")?.contains("\"waiver-unused\": \"off\"") == true
    )
    #expect(RuleReference.explanation(of: "waiver-unused")?.contains("\"waivers\"") == false)
  }

  @Test func `of a name that no rule has is the nearest names`() {
    #expect(RuleReference.explanation(of: "field-remved", rules: rules) == nil)
    #expect(
      RuleReference.unknownRule("field-remved", rules: rules)
        == "there is no rule 'field-remved'; did you mean field-removed?")
    #expect(
      RuleReference.unknownRule("zzz", rules: rules)
        == "there is no rule 'zzz'; syncctl lint --explain all lists them")
  }

  @Test func `without a name is the list of all rules by category`() {
    #expect(
      RuleReference.list(rules) == """
        refused
          never-broken           Nobody breaks <this>.

        accepted, and hurts later
          delete-rule-no-action  No relationship has no delete rule.

        breaks apps that are in use
          field-removed          A field that production has stays.

        More about one: syncctl lint --explain RULE

        """)
  }

  private let rules = [SampleReport.removed, SampleReport.noAction, SampleReport.silent]
}
