import SchemaFormats

extension ReportFormat {
  package static let text = ReportFormat(
    name: "text", purpose: "for people",
    render: { report, options in
      let paint = Paint(isOn: options.usesColour)
      let findings = report.findings.map { finding in
        textLines(finding, in: report, paint).map { $0 + "\n" }.joined()
      }
      let summary = paint(summaryColour(report.worst), report.summary)
      return findings.joined() + summary + "\n"
    })

  private static func textLines(
    _ finding: ReportedFinding, in report: LintReport, _ paint: Paint
  ) -> [String] {
    let place = paint(.bold, "\(finding.location)".onOneLine + ":")
    let severity = paint(colour(finding.severity), "\(finding.severity.rawValue):")
    let rule = paint(.dim, "[\(finding.rule)]")
    let waive =
      finding.isWaivable
      ? ", or waive with a reason: syncctl lint --explain \(finding.rule)" : ""
    // With one promoted version the last line has named it already.
    let breaks = report.promoted.count > 1 ? versions(finding.against) : nil
    let details = [
      ("why", finding.why), ("for", breaks), ("fix", finding.fix + waive),
    ]
    return ["\(place) \(severity) \(finding.message.onOneLine) \(rule)"]
      + details.compactMap { label, text in
        text.map { "  \(paint(.dim, label))  \($0.onOneLine)" }
      }
  }

  /// The versions' names as a list that stays readable; nil for none.
  private static func versions(_ labels: [String]) -> String? {
    let shownMax = 5
    guard !labels.isEmpty else { return nil }
    let shown = labels.prefix(shownMax).joined(separator: ", ")
    let hiddenCount = labels.count - shownMax
    return "apps of \(shown)" + (hiddenCount > 0 ? " and \(hiddenCount) more" : "")
  }

  private static func colour(_ severity: Severity) -> Paint.Colour {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }

  private static func summaryColour(_ worst: Severity?) -> Paint.Colour {
    worst.map { colour($0) } ?? .green
  }
}

/// Colours text for a terminal, or leaves it alone.
struct Paint {
  /// The parameters of ECMA-48's "select graphic rendition".
  enum Colour: String {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case green = "32"
    case yellow = "1;33"
    case cyan = "36"
  }

  let isOn: Bool

  func callAsFunction(_ colour: Colour, _ text: String) -> String {
    isOn ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
  }
}
