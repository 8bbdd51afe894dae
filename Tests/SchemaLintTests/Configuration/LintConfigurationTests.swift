import Foundation
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `The configuration` {
  @Test func `says which rules apply, what to compare with, and what is accepted`() throws {
    let configuration = try read(try Self.fixture("complete.json"))
    #expect(configuration.profile == .cloudkit)
    #expect(
      configuration.overrides
        == ["delete-rule-no-action": .error, "unique-constraint": nil, "waiver-unused": .warning])
    #expect(configuration.promoted.map(\.path) == ["promoted/", "App 1.ckdb"])
    #expect(configuration.promoted.map(\.location) == [place(9, 16), place(9, 29)])
    #expect(configuration.transformers == ["ColourTransformer"])
    #expect(
      configuration.baseline
        == LintConfiguration.Path("lint-baseline.json", location: place(11, 15)))
    #expect(
      configuration.waivers == [
        Waiver(
          rule: "field-removed", subject: .part("LogEntry.duration"),
          reason: "no app reads it since 2.0", expires: CalendarDate("2027-03-01"),
          location: place(13, 5)),
        Waiver(
          rule: "field-removed", subject: .partsOf("Größe"), reason: "never released",
          location: place(19, 5)),
      ])
  }

  @Test func `may be empty, and then changes nothing`() throws {
    #expect(try read("{}") == LintConfiguration())
  }

  @Test func `switches rules off and gives them another severity`() throws {
    let configuration = try read(
      #"{"rules": {"unique-constraint": "off", "delete-rule-no-action": "error"}}"#)
    let linter = Linter(profile: .cloudkit, overrides: configuration.overrides)
    let severities = Dictionary(
      uniqueKeysWithValues: linter.rules.map { ($0.rule.id, $0.severity) })
    #expect(severities["unique-constraint"] == nil)
    #expect(severities["delete-rule-no-action"] == .error)
    #expect(severities["field-removed"] == .error)
  }

  @Test(arguments: [
    (
      #"{"waivrs": []}"#,
      "1:2: error: unknown key 'waivrs' in the configuration; did you mean waivers?"
    ),
    (
      #"{"x": 1}"#,
      "1:2: error: unknown key 'x' in the configuration; known are $schema, profile, rules, "
        + "promoted, transformers, baseline, waivers"
    ),
    (#"[]"#, "1:1: error: the configuration must be an object, not an array"),
    (
      #"{"profile": "cloud"}"#,
      "1:13: error: 'profile' is 'cloud', but must be cloudkit or contrail"
    ),
    (#"{"profile": null}"#, "1:13: error: 'profile' must be a string, not null"),
    (
      #"{"rules": {"field-remved": "off"}}"#,
      "1:12: error: there is no rule 'field-remved'; did you mean field-removed?"
    ),
    (
      #"{"rules": {"xyz": "off"}}"#,
      "1:12: error: there is no rule 'xyz'; syncctl lint --explain all lists them"
    ),
    (
      #"{"rules": {"field-removed": "eror"}}"#,
      "1:29: error: the severity of field-removed is 'eror', but must be off, note, warning or error"
    ),
    (
      #"{"rules": {"field-removed": true}}"#,
      "1:29: error: the severity of field-removed must be a string, not a truth value"
    ),
    (#"{"promoted": "a"}"#, "1:14: error: 'promoted' must be an array, not a string"),
    (#"{"promoted": [7]}"#, "1:15: error: an entry of 'promoted' must be a string, not a number"),
    (#"{"transformers": [" "]}"#, "1:19: error: an entry of 'transformers' is empty"),
    (#"{"baseline": {}}"#, "1:14: error: 'baseline' must be a string, not an object"),
    (#"{"waivers": [1]}"#, "1:14: error: a waiver must be an object, not a number"),
    (
      #"{"waivers": [{"rule": "field-removed", "subject": "A.b"}]}"#,
      "1:14: error: a waiver needs a reason: say why the finding is acceptable"
    ),
    (
      #"{"waivers": [{"rule": "field-removed", "subject": "A.b", "reason": " \t"}]}"#,
      "1:68: error: a waiver's reason is empty"
    ),
    (
      #"{"waivers": [{"rule": "waiver-unused", "subject": "*", "reason": "r"}]}"#,
      "1:23: error: there is no rule 'waiver-unused'; syncctl lint --explain all lists them"
    ),
    (
      #"{"waivers": [{"rule": "field-removed", "subject": "*", "reason": "r", "expire": ""}]}"#,
      "1:71: error: unknown key 'expire' in a waiver; did you mean expires?"
    ),
    (
      #"{"waivers": [{"rule": "field-removed", "subject": "*", "reason": "r", "expires": "2027-02-29"}]}"#,
      "1:82: error: '2027-02-29' is no day of the calendar: write it like 2027-03-01"
    ),
    (
      #"{"rules": {"field-removed": "off"}"#,
      "1:35: error: expected ',' or '}' after a value, found the end of the text"
    ),
    (
      #"{"größe": 1, "größe": 2}"#,
      "1:16: error: expected a key that the object does not have yet, found the same key again"
    ),
  ])
  func `is refused with the place of what is wrong and what would be right`(
    text: String, message: String
  ) {
    let error = #expect(throws: LintFileError.self) { try read(text) }
    #expect(error?.description == "contrail-lint.json:\(message)")
  }

  @Test func `tells all that is wrong at once, in the order of the file`() {
    let text = """
      {
        "rules": { "unique": "off", "field-removed": "fatal" },
        "profil": "cloudkit",
        "waivers": [
          { "subject": "A.ß", "expires": "soon" },
          { "rule": "field-remove", "subject": "", "reason": "r" }
        ]
      }
      """
    let error = #expect(throws: LintFileError.self) { try read(text) }
    #expect(
      error?.description == """
        contrail-lint.json:2:14: error: there is no rule 'unique'; \
        syncctl lint --explain all lists them
        contrail-lint.json:2:48: error: the severity of field-removed is 'fatal', \
        but must be off, note, warning or error
        contrail-lint.json:3:3: error: unknown key 'profil' in the configuration; \
        did you mean profile?
        contrail-lint.json:5:5: error: a waiver needs a rule: \
        name the rule whose finding it accepts
        contrail-lint.json:5:5: error: a waiver needs a reason: \
        say why the finding is acceptable
        contrail-lint.json:5:37: error: 'soon' is no day of the calendar: write it like 2027-03-01
        contrail-lint.json:6:15: error: there is no rule 'field-remove'; \
        did you mean field-removed?
        contrail-lint.json:6:42: error: a waiver's subject is empty
        """)
  }

  private func read(_ text: String) throws -> LintConfiguration {
    try LintConfiguration(
      reading: Array(text.utf8), file: "contrail-lint.json",
      rules: ["field-removed", "unique-constraint", "delete-rule-no-action"])
  }

  private func place(_ line: Int, _ column: Int) -> SchemaFormats.SourceLocation {
    SampleReport.place("contrail-lint.json", line, column)
  }

  private static func fixture(_ name: String) throws -> String {
    let url = FixtureFiles.repository.appending(path: "Tests/Fixtures/lint-config/good/\(name)")
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}
