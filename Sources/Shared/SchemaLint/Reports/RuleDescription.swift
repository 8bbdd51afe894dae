/// A rule as reports show it: its texts, and the severity that it has in this run.
package struct RuleDescription: Hashable, Sendable, Identifiable {
  /// The rule's name.
  package var id: String
  /// How bad its findings are here.
  package var severity: Severity
  /// What a schema that follows the rule is like, in one sentence.
  package var summary: String
  /// Why it matters.
  package var why: String
  /// What to do about a finding.
  package var fix: String

  package init(id: String, severity: Severity, summary: String, why: String, fix: String) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.why = why
    self.fix = fix
  }

  package init(_ rule: Rule, severity: Severity) {
    self.init(
      id: rule.id, severity: severity, summary: rule.summary, why: rule.why, fix: rule.fix)
  }
}

/// What a report says about the lint's own files; these are no rules for schemas, so they cannot be
/// waived, but the configuration can switch them off or make them weigh more.
extension RuleDescription {
  /// A waiver that would cover a finding, had it not expired.
  static let waiverExpired = RuleDescription(
    id: "waiver-expired", severity: .warning,
    summary: "No waiver is past its last day.",
    why: "what it covered counts again since that day",
    fix: "mend the findings, or give the waiver a later day and say why")

  /// A waiver that covers nothing.
  static let waiverUnused = RuleDescription(
    id: "waiver-unused", severity: .note,
    summary: "Every waiver covers a finding.",
    why: "what it covered is gone, or its rule or subject is spelled differently",
    fix: "remove the waiver, or correct its rule and subject")

  /// An entry of the baseline for what is no longer found.
  static let baselineOutdated = RuleDescription(
    id: "baseline-outdated", severity: .note,
    summary: "Every debt in the baseline is still there.",
    why: "an entry for a debt that was paid would accept the same debt again",
    fix: "write the baseline again: syncctl lint SCHEMA --write-baseline FILE")

  /// Something in the schema's file that was passed over.
  static let schemaPassedOver = RuleDescription(
    id: "schema-passed-over", severity: .note,
    summary: "Everything in the schema's file is understood.",
    why: "the lint cannot check what it passes over",
    fix: "make sure that nothing which matters stands there")

  /// All of them.
  package static let housekeeping: [RuleDescription] = [
    waiverExpired, waiverUnused, baselineOutdated, schemaPassedOver,
  ]
}
