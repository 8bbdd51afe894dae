import SchemaLint
import Testing

@Suite struct `The GitHub report` {
  @Test func `escapes what separates the parts of a command, and counts columns in characters`()
    throws
  {
    let text = try #require(ReportFormat.named("github"))
      .render(SampleReport.report, SampleReport.options)
    let lines = text.split(separator: "\n")
    let file = "file=ios/My App.xcdatamodeld/Größe%2C 100%25.xcdatamodel/contents"
    #expect(
      lines[1] == """
        ::error \(file),line=3,col=9,title=LogEntry.a\\n<b> [field-removed]::\
        LogEntry.a%0A<b> was 50%25 removed, "too"%0Awhy: apps < 2 & > 1 read "it"%0A\
        fix: keep it; 100%25 of apps, old: too
        """)
    #expect(lines[2].hasPrefix("::warning \(file),line=7,col=33,"))
    #expect(lines[3].hasPrefix("::notice \(file),line=2,col=5,"))
    #expect(lines.last?.hasPrefix("2 errors, 2 warnings") == true)
  }

  @Test func `has one line for each finding, whatever line ends its texts hold`() throws {
    var report = SampleReport.clean
    report.findings = SampleReport.report.findings
    report.findings[0].message = "a\r\nb\rc\nd"
    let text = try #require(ReportFormat.named("github")).render(report, SampleReport.options)
    #expect(text.contains("::a%0D%0Ab%0Dc%0Ad%0Awhy:"))
    #expect(text.split(whereSeparator: \.isNewline).count == report.findings.count + 1)
  }
}
