import JSONStream
import SchemaFormats

extension ReportFormat {
  /// GitLab's part of the Code Climate format.
  ///
  /// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
  ///
  /// GitLab shows only the first of several entries with one fingerprint; ours are unique.
  package static let gitlab = ReportFormat(
    name: "gitlab", purpose: "Code Quality report of a GitLab pipeline",
    render: { report, options in
      try JSONValue.list(
        report.findings.map { finding in
          .object([
            "description": .text(finding.sentences),
            "check_name": .text(finding.rule),
            "fingerprint": .text(finding.fingerprint),
            "severity": .text(codeClimateSeverity(finding.severity)),
            "location": .object([
              "path": .text(RepositoryPath(finding.location.file, options: options).path),
              "lines": .object(["begin": .number(finding.location.position.line)]),
            ]),
          ])
        }
      ).prettyText
    })

  private static func codeClimateSeverity(_ severity: Severity) -> String {
    switch severity {
    case .error: "critical"
    case .warning: "minor"
    case .note: "info"
    }
  }
}
