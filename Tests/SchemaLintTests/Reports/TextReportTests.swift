import DataModel
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `The text report` {
  @Test func `shows place, severity, message and rule, then why and how to mend it`() throws {
    #expect(
      try rendered(SampleReport.report) == """
        My App.xcdatamodeld/Größe, 100%.xcdatamodel/contents:3:9: error: \
        LogEntry.duration was removed [field-removed]
          why  apps < 2 & > 1 read "it"
          for  apps of FlightLog, FlightLog 2
          fix  keep it; 100% of apps, old: too, \
        or waive with a reason: syncctl lint --explain field-removed
        My App.xcdatamodeld/Größe, 100%.xcdatamodel/contents:3:9: error: \
        LogEntry.a\\n<b> was 50% removed, "too" [field-removed]
          why  apps < 2 & > 1 read "it"
          for  apps of FlightLog 2
          fix  keep it; 100% of apps, old: too, \
        or waive with a reason: syncctl lint --explain field-removed
        My App.xcdatamodeld/Größe, 100%.xcdatamodel/contents:7:36: warning: \
        Pilot.größe has the delete rule noAction [delete-rule-no-action]
          why  the other side holds a reference to nothing
          fix  use nullify, or waive with a reason: syncctl lint --explain delete-rule-no-action
        My App.xcdatamodeld/Größe, 100%.xcdatamodel/contents:2:5: note: \
        the element <note> was passed over [schema-passed-over]
          why  the lint cannot check what it passes over
          fix  make sure that nothing which matters stands there
        contrail-lint.json:5:5: warning: the waiver of field-removed for LogEntry.* expired on \
        2026-01-31, and 2 findings would need it [waiver-expired]
          why  what it covered counts again since that day
          fix  mend the findings, or give the waiver a later day and say why
        contrail-lint.json:6:5: note: the waiver of delete-rule-no-action for Pilot.grösse \
        covers no finding; did you mean Pilot.größe? [waiver-unused]
          why  what it covered is gone, or its rule or subject is spelled differently
          fix  remove the waiver, or correct its rule and subject
        lint-baseline.json:5:5: note: field-removed at Pilot.gone is no longer found, \
        and can be removed from the baseline [baseline-outdated]
          why  an entry for a debt that was paid would accept the same debt again
          fix  write the baseline again: syncctl lint SCHEMA --write-baseline FILE
        2 errors, 2 warnings, 3 notes · 1 waived, 1 in the baseline · 1 entity, 1 property · \
        compared with 2 promoted versions

        """)
  }

  @Test(arguments: Rule.all)
  func `says how to waive, so that no rule has to`(_ rule: Rule) {
    #expect(!rule.fix.contains("waive"))
  }

  @Test func `is coloured only when asked, and says the same`() throws {
    let coloured = try rendered(SampleReport.report, usesColour: true)
    #expect(coloured.contains("\u{1b}[1;31merror:\u{1b}[0m"))
    let plain = coloured.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    #expect(plain == (try rendered(SampleReport.report)))
  }

  @Test func `does not let a name in a schema command the terminal`() throws {
    let name = "\u{1b}[2Jx\u{7}\u{202e}y"
    let report = LintReport(
      of: [
        SampleReport.finding(
          SampleReport.noAction, .relationship(entity: "A", name: name), nil, "A.\(name) is bad",
          line: 1)
      ], in: SampleReport.document, linter: SampleReport.linter, today: SampleReport.today,
      toolVersion: "1")
    let text = try rendered(report)
    #expect(text.contains("A.\\u{1b}[2Jx\\u{7}\\u{202e}y is bad"))
    #expect(!text.unicodeScalars.contains("\u{1b}"))
  }

  @Test func `names five promoted versions and counts the others`() throws {
    let labels = (1...8).map { "V\($0)" }
    let report = LintReport(
      of: [
        SampleReport.finding(
          SampleReport.removed, .attribute(entity: "A", name: "b"), nil, "A.b was removed", line: 1,
          against: labels)
      ], in: SampleReport.document,
      promoted: labels.map { SchemaDocument(file: $0, label: $0, content: .objects(Schema())) },
      linter: SampleReport.linter, today: SampleReport.today, toolVersion: "1")
    #expect(try rendered(report).contains("  for  apps of V1, V2, V3, V4, V5 and 3 more\n"))
  }

  private func rendered(_ report: LintReport, usesColour: Bool = false) throws -> String {
    var options = SampleReport.options
    options.usesColour = usesColour
    return try #require(ReportFormat.named("text")).render(report, options)
  }
}
