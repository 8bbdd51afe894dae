import DataModel
import Foundation
import JSONStream
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `The SARIF report` {
  @Test(arguments: ["sarif", "code-scanning"])
  func `names its rules, and every result points at the right one`(_ format: String) throws {
    let run = try run(format, SampleReport.report)
    let rules = try run.require("tool").require("driver").require("rules").requireElements()
    for result in try run.require("results").requireElements() {
      let index = Int(try result.require("ruleIndex").requireInteger())
      #expect(try result.require("ruleId") == rules[index].require("id"))
      #expect(["error", "warning", "note"].contains(try result.require("level").requireString()))
      #expect(try !result.require("message").require("text").requireString().isEmpty)
    }
    #expect(rules.count == SampleReport.report.rules.count)
  }

  @Test func `keeps what is accepted, with the reason and its place`() throws {
    let results = try run("sarif", SampleReport.report).require("results").requireElements()
    let suppressions = results.compactMap { $0["suppressions"]?.elements?.first }
    #expect(
      try suppressions.map { try $0.require("justification").requireString() } == [
        "every app \"older\" than 2 is gone & forgotten (until 2027-03-01)",
        "an old debt that the baseline accepts",
      ])
    #expect(
      try suppressions.map { try uri(of: $0.require("location")) }
        == ["ios/contrail-lint.json", "ios/lint-baseline.json"])
  }

  @Test func `for code scanning leaves out what is accepted`() throws {
    let results = try run("code-scanning", SampleReport.report).require("results")
      .requireElements()
    #expect(results.count == SampleReport.report.findings.count)
    #expect(results.allSatisfy { $0["suppressions"] == nil })
  }

  @Test func `lets no viewer take braces for placeholders or brackets for links`() throws {
    var report = SampleReport.report
    report.findings[0].message = "A.{0} is [here](https://example.org)"
    let results = try run("sarif", report).require("results").requireElements()
    let text = try results[0].require("message").require("text").requireString()
    #expect(text.hasPrefix("A.{{0}} is [here] (https://example.org). "))
  }

  /// What a forge does: decodes the URI, opens the file below the repository's root, and goes to the
  /// line and the column.
  @Test func `leads to the very markup within a package whose names have spaces`() throws {
    let file = "Schemas/demo/FlightLog.xcdatamodeld/FlightLog 2.xcdatamodel/contents"
    let contents = try bytes(file)
    let document = try XCDataModel.document(contents: contents, file: file, label: "FlightLog 2")
    let linter = Linter(profile: .cloudkit, table: [Self.anyAttribute])
    let findings = linter.findings(in: document)
    try #require(!findings.isEmpty)
    let report = LintReport(
      of: findings, in: document, linter: linter, today: SampleReport.today, toolVersion: "1")
    let options = ReportOptions(repositoryRoot: "/repo", texts: [file: contents])
    let results = try run("code-scanning", report, options).require("results").requireElements()
    for (result, finding) in zip(results, findings) {
      let place = try result.require("locations").requireElements()[0]
      let path = try #require(try uri(of: place).removingPercentEncoding)
      let lines = String(decoding: try bytes(path), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      let region = try place.require("physicalLocation").require("region")
      let line = lines[Int(try region.require("startLine").requireInteger()) - 1]
      let column = Int(try region.require("startColumn").requireInteger())
      let name = finding.subject.split(separator: ".").last ?? ""
      #expect(line.dropFirst(column - 1).hasPrefix("attributeType="), "\(line)")
      #expect(line.contains("name=\"\(name)\""), "\(line)")
    }
  }

  /// A rule that finds every attribute.
  private static let anyAttribute = Rule(
    "any-attribute", .pitfall, .note, summary: "S.", why: "w", fix: "f",
    check: Rule.attributes { _ in (.type, "is there") })

  private func run(
    _ format: String, _ report: LintReport, _ options: ReportOptions = SampleReport.options
  ) throws -> JSONValue {
    let text = try #require(ReportFormat.named(format)).render(report, options)
    let log = try JSONValue(reading: text)
    #expect(log["version"] == "2.1.0")
    return try #require(try log.require("runs").requireElements().first)
  }

  private func uri(of location: JSONValue) throws -> String {
    let artifact = try location.require("physicalLocation").require("artifactLocation")
    #expect(artifact["uriBaseId"] == "%SRCROOT%")
    return try artifact.require("uri").requireString()
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: FixtureFiles.repository.appending(path: path)))
  }
}
