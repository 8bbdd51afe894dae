import JSONStream
import SchemaFormats

extension ReportFormat {
  /// Contrail's own format; `Schemas/json/contrail-lint-1.json` describes it, and a member is never
  /// taken away or given another meaning under that name.
  package static let json = ReportFormat(
    name: "json", purpose: "for programs; contrail-lint-1",
    render: { report, _ in
      try JSONValue.object([
        "format": "contrail-lint-1",
        "tool": .object(["name": "syncctl", "version": .text(report.toolVersion)]),
        "schema": schema(report),
        "profile": .text(report.profile.rawValue),
        "promoted": .list(report.promoted.map { .text($0) }),
        "summary": .object([
          "errors": .number(report.count(.error)), "warnings": .number(report.count(.warning)),
          "notes": .number(report.count(.note)), "waived": .number(report.count(.waiver)),
          "baseline": .number(report.count(.baseline)),
        ]),
        "findings": .list(report.findings.map { finding($0) }),
        "suppressed": .list(report.suppressed.map { finding($0) }),
      ]).prettyText
    })

  private static func schema(_ report: LintReport) -> JSONValue {
    let counts: (names: (String, String), numbers: (Int, Int)) =
      switch report.size {
      case .objects(let entities, let properties):
        (("entities", "properties"), (entities, properties))
      case .records(let types, let fields): (("recordTypes", "fields"), (types, fields))
      }
    return JSONValue(
      .object([
        JSONMember("label", .text(report.schema)), JSONMember("file", .text(report.file)),
        JSONMember(counts.names.0, .number(counts.numbers.0)),
        JSONMember(counts.names.1, .number(counts.numbers.1)),
      ]))
  }

  private static func finding(_ finding: ReportedFinding) -> JSONValue {
    .object([
      "rule": .text(finding.rule),
      "severity": .text(finding.severity.rawValue),
      "subject": .text(finding.subject),
      "kind": finding.kind.map { .text($0) },
      "file": .text(finding.location.file),
      "line": .number(finding.location.position.line),
      "column": .number(finding.location.position.column),
      "message": .text(finding.message),
      "why": .text(finding.why),
      "fix": .text(finding.fix),
      "promoted": .list(finding.against.map { .text($0) }),
      "fingerprint": .text(finding.fingerprint),
      "suppression": finding.suppression.map { suppression($0) },
    ])
  }

  private static func suppression(_ suppression: ReportedFinding.Suppression) -> JSONValue {
    .object([
      "origin": .text(suppression.origin.rawValue),
      "reason": .text(suppression.reason),
      "expires": suppression.expires.map { .text($0.description) },
      "file": suppression.location.map { .text($0.file) },
      "line": suppression.location.map { .number($0.position.line) },
      "column": suppression.location.map { .number($0.position.column) },
    ])
  }
}
