import SchemaFormats
import SchemaLint
import Testing

@Suite struct `A report` {
  @Test(arguments: ReportFormat.all.map(\.name))
  func `reads as its golden file in each format`(_ name: String) throws {
    let format = try #require(ReportFormat.named(name))
    let golden = GoldenFile(
      path: "Tests/Fixtures/reports/\(Self.fileNames[name] ?? name)",
      command: "UPDATE=1 swift test --filter 'reads as its golden file'")
    try golden.expect(try format.render(SampleReport.report, SampleReport.options))
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func `without findings is short and complete in each format`(_ name: String) throws {
    let format = try #require(ReportFormat.named(name))
    let golden = GoldenFile(
      path: "Tests/Fixtures/reports/clean/\(Self.fileNames[name] ?? name)",
      command: "UPDATE=1 swift test --filter 'without findings is short'")
    try golden.expect(try format.render(SampleReport.clean, SampleReport.options))
  }

  @Test func `knows its formats by name, and only those`() {
    #expect(
      ReportFormat.all.map(\.name)
        == ["text", "json", "sarif", "code-scanning", "junit", "github", "gitlab"])
    #expect(ReportFormat.named("xml") == nil)
  }

  @Test func `counts what is found, what is accepted, and what was looked at`() {
    #expect(
      SampleReport.report.summary
        == "2 errors, 2 warnings, 3 notes · 1 waived, 1 in the baseline · 1 entity, 1 property"
        + " · compared with 2 promoted versions")
    #expect(
      SampleReport.clean.summary
        == "no findings · 1 record type, 1 field · compared with no promoted version")
    #expect(SampleReport.report.worst == .error)
    #expect(SampleReport.clean.worst == nil)
  }

  @Test func `gives each finding a fingerprint of its own that no line number changes`() {
    let report = SampleReport.report
    let all = (report.findings + report.suppressed).map(\.fingerprint)
    #expect(Set(all).count == all.count)
    var moved = SampleReport.findings
    for index in moved.indices { moved[index].location.position.line += 10 }
    let later = LintReport(
      of: moved, in: SampleReport.document, promoted: SampleReport.promoted,
      linter: SampleReport.linter, configuration: SampleReport.configuration,
      baseline: SampleReport.baseline, today: SampleReport.today, toolVersion: "1.2.4")
    #expect((later.findings + later.suppressed).map(\.fingerprint) == all)
  }

  @Test func `says nothing of housekeeping that is switched off`() {
    let report = LintReport(
      of: [], in: SampleReport.document, linter: SampleReport.linter,
      configuration: LintConfiguration(
        overrides: ["waiver-unused": nil, "schema-passed-over": .error],
        waivers: SampleReport.configuration.waivers),
      today: SampleReport.today, toolVersion: "1")
    #expect(report.findings.map(\.rule) == ["schema-passed-over"])
    #expect(report.worst == .error)
  }

  private static let fileNames = [
    "text": "report.txt", "json": "report.json", "sarif": "report.sarif",
    "code-scanning": "code-scanning.sarif", "junit": "junit.xml", "github": "github.txt",
    "gitlab": "gitlab.json",
  ]
}
