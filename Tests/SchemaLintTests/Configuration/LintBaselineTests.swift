import DataModel
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `A baseline` {
  @Test func `names rules and parts, sorted, and no lines`() throws {
    let golden = GoldenFile(
      path: "Tests/Fixtures/lint-config/baseline/sample.json",
      command: "UPDATE=1 swift test --filter 'names rules and parts'")
    let text = try LintBaseline(accepting: Self.debts).text()
    try golden.expect(text)
    #expect(
      text == #"""
        {
          "format": "contrail-lint-baseline-1",
          "findings": [
            {"rule":"delete-rule-no-action","subject":"Pilot.größe","aspect":"deleteRule"},
            {"rule":"delete-rule-no-action","subject":"Pilot.old","aspect":"deleteRule"},
            {"rule":"field-removed","subject":"LogEntry.a\n<b>","count":2},
            {"rule":"field-removed","subject":"LogEntry.duration"},
            {"rule":"field-removed","subject":"Pilot.age"}
          ]
        }

        """#)
    #expect(try LintBaseline(accepting: Self.debts.reversed()).text() == text)
  }

  @Test func `without debts is written and read, too`() throws {
    let text = try LintBaseline(accepting: []).text()
    #expect(text == "{\n  \"format\": \"contrail-lint-baseline-1\",\n  \"findings\": []\n}\n")
    #expect(try read(text) == LintBaseline(entries: []))
  }

  @Test func `accepts the findings that it was written from, wherever they stand later`() throws {
    let baseline = try read(try LintBaseline(accepting: Self.debts).text())
    var moved = Self.debts
    for index in moved.indices {
      moved[index].location.position.line += 100
      moved[index].message += ", reworded"
    }
    let outcome = BaselineOutcome(moved, baseline: baseline)
    #expect(outcome.kept == [] && outcome.outdated == [])
    #expect(outcome.accepted.map(\.finding) == moved)
  }

  @Test func `accepts no more findings of a kind than there were`() {
    let baseline = LintBaseline(accepting: SampleReport.findings)
    let outcome = BaselineOutcome(Self.debts, baseline: baseline)
    #expect(outcome.kept == [SampleReport.findings[1]])
  }

  @Test func `names what can be removed from it`() throws {
    let baseline = try read(try LintBaseline(accepting: Self.debts).text())
    let outcome = BaselineOutcome([SampleReport.findings[1]], baseline: baseline)
    #expect(
      outcome.outdated.map { "\($0.entry.key.subject) \($0.foundCount)/\($0.entry.count)" }
        == [
          "Pilot.größe 0/1", "Pilot.old 0/1", "LogEntry.a\n<b> 1/2", "LogEntry.duration 0/1",
          "Pilot.age 0/1",
        ])
    #expect(
      outcome.outdated.first?.entry.location == SampleReport.place("lint-baseline.json", 4, 5))
  }

  @Test func `keeps an entry whose finding is waived meanwhile`() {
    let waived = [SampleReport.findings[0]]
    let outcome = BaselineOutcome([], baseline: LintBaseline(accepting: waived), waived: waived)
    #expect(outcome.outdated == [] && outcome.accepted == [])
  }

  @Test(arguments: [
    (
      #"{"findings": []}"#,
      #"1:1: error: a baseline begins with "format": "contrail-lint-baseline-1""#
    ),
    (
      #"{"format": "contrail-lint-2", "findings": []}"#,
      #"1:12: error: a baseline begins with "format": "contrail-lint-baseline-1""#
    ),
    (
      #"{"format": "contrail-lint-baseline-1"}"#,
      "1:1: error: a baseline needs 'findings', if only an empty array"
    ),
    (
      #"{"format": "contrail-lint-baseline-1", "findings": [{"rule": "r"}]}"#,
      "1:53: error: a finding needs a subject"
    ),
    (
      #"{"format": "contrail-lint-baseline-1", "findings": [{"rule": "r", "subject": "s", "count": 0}]}"#,
      "1:92: error: a finding's count must be a whole number from 1 to 1000000"
    ),
    (
      #"{"format": "contrail-lint-baseline-1", "findings": [{"rule": "r", "subject": "s", "line": 3}]}"#,
      "1:83: error: unknown key 'line' in a finding; known are rule, subject, aspect, count"
    ),
  ])
  func `is refused with the place of what is wrong`(text: String, message: String) {
    let error = #expect(throws: LintFileError.self) { try read(text) }
    #expect(error?.description == "lint-baseline.json:\(message)")
  }

  /// Two of them are alike.
  private static let debts = SampleReport.findings + [SampleReport.findings[1]]

  private func read(_ text: String) throws -> LintBaseline {
    try LintBaseline(reading: Array(text.utf8), file: "lint-baseline.json")
  }
}
