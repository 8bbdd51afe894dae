/// What one run of the lint has to say, ready to be rendered in any format.
package struct LintReport: Hashable, Sendable {
  /// The version of the tool that ran.
  package var toolVersion: String
  /// What the schema is called, such as `FlightLog 2`.
  package var schema: String
  /// The schema's file.
  package var file: String
  /// How much the schema holds.
  package var size: SchemaSize
  /// Which rules applied.
  package var profile: LintProfile
  /// The promoted versions that the schema was compared with, oldest first.
  package var promoted: [String]
  /// Every rule that was applied.
  package var rules: [RuleDescription]
  /// What counts: findings in the order of the file, then what there is to say about the lint's own
  /// files.
  package var findings: [ReportedFinding]
  /// What a waiver or the baseline accepts.
  package var suppressed: [ReportedFinding]

  package init(
    toolVersion: String, schema: String, file: String, size: SchemaSize, profile: LintProfile,
    promoted: [String] = [], rules: [RuleDescription] = [], findings: [ReportedFinding] = [],
    suppressed: [ReportedFinding] = []
  ) {
    self.toolVersion = toolVersion
    self.schema = schema
    self.file = file
    self.size = size
    self.profile = profile
    self.promoted = promoted
    self.rules = rules
    self.findings = findings
    self.suppressed = suppressed
  }

  /// The worst severity of what counts; nil when nothing does.
  package var worst: Severity? { findings.map(\.severity).max() }

  /// How many findings of that severity count.
  package func count(_ severity: Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// How many findings a waiver or the baseline accepts.
  package func count(_ origin: ReportedFinding.Suppression.Origin) -> Int {
    suppressed.count { $0.suppression?.origin == origin }
  }

  /// `2 errors, 1 warning · 1 waived · 3 entities, 17 properties · compared with 1 promoted version`.
  package var summary: String {
    let severities = [
      (Severity.error, "error", "errors"), (.warning, "warning", "warnings"),
      (.note, "note", "notes"),
    ]
    let found = severities.compactMap { severity, one, many in
      count(severity) == 0 ? nil : count(severity).of(one, many)
    }
    let accepted = [
      count(.waiver) == 0 ? nil : "\(count(.waiver)) waived",
      count(.baseline) == 0 ? nil : "\(count(.baseline)) in the baseline",
    ].compactMap { $0 }
    let compared =
      promoted.isEmpty
      ? "compared with no promoted version"
      : "compared with \(promoted.count.of("promoted version", "promoted versions"))"
    let parts = [
      found.isEmpty ? "no findings" : found.joined(separator: ", "),
      accepted.joined(separator: ", "), size.words, compared,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
