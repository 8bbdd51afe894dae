import SchemaFormats

extension ReportFormat {
  /// Workflow commands: each becomes an annotation at its line.
  ///
  /// The escaping is that of `@actions/core`:
  /// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
  package static let github = ReportFormat(
    name: "github", purpose: "annotations of a GitHub Actions run",
    render: { report, options in
      let commands = report.findings.map { finding in
        let properties = [
          ("file", RepositoryPath(finding.location.file, options: options).path),
          ("line", String(finding.location.position.line)),
          ("col", String(options.scalarColumn(of: finding.location))),
          ("title", "\(finding.subject.onOneLine) [\(finding.rule)]"),
        ].map { "\($0)=\(escapedProperty($1))" }.joined(separator: ",")
        let message = "\(finding.message)\nwhy: \(finding.why)\nfix: \(finding.fix)"
        // Line ends are escaped as the format wants it; what else a log would obey is spelled out.
        let text = escapedMessage(message).onOneLine
        return "::\(command(finding.severity)) \(properties)::\(text)\n"
      }
      return commands.joined() + report.summary + "\n"
    })

  private static func command(_ severity: Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .note: "notice"
    }
  }

  private static func escapedMessage(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func escapedProperty(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  // By scalars, since "\r\n" is one Character.
  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}
