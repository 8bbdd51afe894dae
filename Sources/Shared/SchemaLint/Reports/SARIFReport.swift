import JSONStream
import SchemaFormats

extension ReportFormat {
  /// SARIF 2.1.0 with all findings, those that are accepted marked as suppressed.
  package static let sarif = ReportFormat(
    name: "sarif", purpose: "SARIF 2.1.0, accepted findings marked as suppressed",
    render: { report, options in try SARIF(report, options).log(withSuppressed: true).prettyText })

  /// The same without what is accepted: GitHub shows suppressed results as open alerts.
  ///
  /// NB: https://github.com/github/codeql-action/issues/1230
  package static let codeScanning = ReportFormat(
    name: "code-scanning", purpose: "SARIF 2.1.0 for GitHub code scanning",
    render: { report, options in try SARIF(report, options).log(withSuppressed: false).prettyText })
}

/// A report in the Static Analysis Results Interchange Format.
///
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
private struct SARIF {
  let report: LintReport
  let options: ReportOptions
  /// Rules by name, each with its place among the driver's rules.
  let ruleIndexes: [String: Int]

  init(_ report: LintReport, _ options: ReportOptions) {
    self.report = report
    self.options = options
    ruleIndexes = Dictionary(
      zip(report.rules.map(\.id), report.rules.indices), uniquingKeysWith: { first, _ in first })
  }

  func log(withSuppressed: Bool) -> JSONValue {
    .object([
      "$schema": .text(
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
          + "sarif-schema-2.1.0.json"),
      "version": "2.1.0",
      "runs": .list([run(report.findings + (withSuppressed ? report.suppressed : []))]),
    ])
  }

  private func run(_ findings: [ReportedFinding]) -> JSONValue {
    .object([
      "tool": .object([
        "driver": .object([
          "name": "syncctl lint",
          "version": .text(report.toolVersion),
          "rules": .list(report.rules.map { rule($0) }),
        ])
      ]),
      "originalUriBaseIds": .object([
        Self.root: .object([
          "description": .object(["text": "The root of the repository."])
        ])
      ]),
      "columnKind": "unicodeCodePoints",
      "results": .list(findings.map { result($0) }),
      "properties": .object([
        "schema": .text(report.schema),
        "promoted": .list(report.promoted.map { .text($0) }),
        "summary": .text(report.summary),
      ]),
    ])
  }

  private func rule(_ rule: RuleDescription) -> JSONValue {
    .object([
      "id": .text(rule.id),
      "shortDescription": message(rule.summary),
      "fullDescription": message("\(rule.summary) \(rule.why.asSentence)"),
      "help": message(
        "\(rule.fix.asSentence)\n\nsyncctl lint --explain \(rule.id)",
        markdown: "\(rule.fix.asSentence)\n\n`syncctl lint --explain \(rule.id)` says more."),
      "defaultConfiguration": .object(["level": .text(rule.severity.rawValue)]),
    ])
  }

  private func result(_ finding: ReportedFinding) -> JSONValue {
    .object([
      "ruleId": .text(finding.rule),
      "ruleIndex": ruleIndexes[finding.rule].map { .number($0) },
      "level": .text(finding.severity.rawValue),
      "message": message(finding.sentences),
      "locations": .list([
        location(finding.location, part: finding.kind.map { (finding.subject, $0) })
      ]),
      // GitHub tells alerts apart by this fingerprint. The upload action would compute one from the
      // line's text, and take two findings of one rule at one line for the same.
      "partialFingerprints": .object(["primaryLocationLineHash": .text(finding.fingerprint)]),
      "suppressions": finding.suppression.map { .list([suppression($0)]) },
    ])
  }

  /// A message that viewers show as it is: braces would be placeholders for arguments, and brackets
  /// before parentheses a link.
  private func message(_ text: String, markdown: String? = nil) -> JSONValue {
    let literal = { (text: String) -> JSONValue in
      .text(
        text.replacing("{", with: "{{").replacing("}", with: "}}").replacing("](", with: "] ("))
    }
    return .object(["text": literal(text), "markdown": markdown.map(literal)])
  }

  private func suppression(_ suppression: ReportedFinding.Suppression) -> JSONValue {
    let until = suppression.expires.map { " (until \($0))" } ?? ""
    return .object([
      "kind": "external", "status": "accepted",
      "justification": .text(suppression.reason + until),
      "location": suppression.location.map { location($0) },
    ])
  }

  private func location(
    _ location: SourceLocation, part: (name: String, kind: String)? = nil
  ) -> JSONValue {
    let path = RepositoryPath(location.file, options: options)
    return .object([
      "physicalLocation": .object([
        "artifactLocation": .object([
          "uri": .text(path.uri), "uriBaseId": path.isInside ? .text(Self.root) : nil,
        ]),
        "region": .object([
          "startLine": .number(location.position.line),
          "startColumn": .number(options.scalarColumn(of: location)),
        ]),
      ]),
      "logicalLocations": part.map {
        .list([.object(["fullyQualifiedName": .text($0.name), "kind": .text($0.kind)])])
      },
    ])
  }

  /// The name by which viewers know the repository's root.
  private static let root = "%SRCROOT%"
}

extension RepositoryPath {
  fileprivate var isInside: Bool { !path.hasPrefix("/") }
}
