import DataModel
package import SchemaFormats

extension LintReport {
  /// The report on `document`: applies waivers and baseline to `findings`, and says what became of
  /// them.
  package init(
    of findings: [Finding], in document: SchemaDocument, promoted: [SchemaDocument] = [],
    linter: Linter, configuration: LintConfiguration = LintConfiguration(),
    baseline: LintBaseline? = nil, today: CalendarDate, toolVersion: String
  ) {
    let waivers = WaiverOutcome(findings, waivers: configuration.waivers, today: today)
    let debts = BaselineOutcome(
      waivers.kept, baseline: baseline, waived: waivers.waived.map(\.finding))
    let rules =
      linter.rules.map { RuleDescription($0.rule, severity: $0.severity) }
      + RuleDescription.housekeeping(with: configuration.overrides)
    var draft = ReportDraft(rules: rules)
    self.init(
      toolVersion: toolVersion, schema: document.label, file: document.file,
      size: SchemaSize(document.content), profile: linter.profile,
      promoted: promoted.map(\.label), rules: rules,
      findings: debts.kept.map { draft.finding($0) }
        + document.notes.compactMap { draft.passedOver($0) }
        + waivers.expired.compactMap { draft.expired($0) }
        + waivers.unused.compactMap { draft.unused($0, today: today, findings: findings) }
        + debts.outdated.compactMap { draft.outdated($0) },
      suppressed: waivers.waived.map { draft.waived($0) }
        + debts.accepted.map { draft.accepted($0) })
    suppressed.sort { $0.location.position < $1.location.position }
  }
}

extension RuleDescription {
  /// The housekeeping rules that are not switched off, each with the severity that it has here.
  static func housekeeping(with overrides: [String: Severity?]) -> [RuleDescription] {
    housekeeping.compactMap { description in
      var description = description
      switch overrides[description.id] {
      case .some(.none): return nil
      case .some(.some(let severity)): description.severity = severity
      case .none: break
      }
      return description
    }
  }
}

/// Turns findings, and what became of waivers and baseline, into lines of a report; numbers those
/// that share a key, so that each has a fingerprint of its own.
private struct ReportDraft {
  let rules: [RuleDescription]
  var keyCounts: [FindingKey: Int] = [:]

  init(rules: [RuleDescription]) {
    self.rules = rules
  }

  mutating func finding(_ finding: Finding) -> ReportedFinding {
    ReportedFinding(
      rule: finding.rule, severity: finding.severity, subject: finding.subject,
      kind: finding.element.kindName, location: finding.location, message: finding.message,
      why: finding.why, fix: finding.fix, against: finding.against,
      fingerprint: fingerprint(FindingKey(finding)))
  }

  mutating func waived(_ waived: WaiverOutcome.Waived) -> ReportedFinding {
    var line = finding(waived.finding)
    line.suppression = ReportedFinding.Suppression(
      origin: .waiver, reason: waived.waiver.reason, expires: waived.waiver.expires,
      location: waived.waiver.location)
    return line
  }

  mutating func accepted(_ accepted: BaselineOutcome.Accepted) -> ReportedFinding {
    var line = finding(accepted.finding)
    line.suppression = ReportedFinding.Suppression(
      origin: .baseline, reason: "an old debt that the baseline accepts",
      location: accepted.entry.location)
    return line
  }

  mutating func passedOver(_ note: SchemaNote) -> ReportedFinding? {
    line(.schemaPassedOver, subject: note.message, at: note.location, message: note.message)
  }

  mutating func expired(_ expired: WaiverOutcome.Expired) -> ReportedFinding? {
    let waiver = expired.waiver
    let day = waiver.expires.map { " on \($0)" } ?? ""
    return line(
      .waiverExpired, subject: "\(waiver.rule) \(waiver.subject)", at: waiver.location,
      message: "the waiver of \(waiver.rule) for \(waiver.subject) expired\(day), and"
        + " \(expired.findingCount.of("finding", "findings")) would need it")
  }

  mutating func unused(
    _ waiver: Waiver, today: CalendarDate, findings: [Finding]
  ) -> ReportedFinding? {
    let subjects = Set(findings.filter { $0.rule == waiver.rule }.map(\.subject))
    let question = NearestName.question(for: waiver.subject.description, among: subjects.sorted())
    return line(
      .waiverUnused, subject: "\(waiver.rule) \(waiver.subject)", at: waiver.location,
      message: "the waiver of \(waiver.rule) for \(waiver.subject) covers no finding\(question)")
  }

  mutating func outdated(_ outdated: BaselineOutcome.Outdated) -> ReportedFinding? {
    let key = outdated.entry.key
    let left =
      outdated.foundCount == 0
      ? "is no longer found"
      : "is found \(outdated.foundCount.of("time", "times")), not \(outdated.entry.count)"
    guard let location = outdated.entry.location else { return nil }
    return line(
      .baselineOutdated, subject: "\(key.rule) \(key.subject)", at: location,
      message: "\(key.rule) at \(key.subject) \(left), and can be removed from the baseline")
  }

  /// A line about the lint's own files; nil when its rule is switched off.
  private mutating func line(
    _ rule: RuleDescription, subject: String, at location: SourceLocation, message: String
  ) -> ReportedFinding? {
    guard let rule = rules.first(where: { $0.id == rule.id }) else { return nil }
    return ReportedFinding(
      rule: rule.id, severity: rule.severity, subject: subject, location: location,
      message: message, why: rule.why, fix: rule.fix, against: [],
      fingerprint: fingerprint(FindingKey(rule: rule.id, subject: subject)))
  }

  private mutating func fingerprint(_ key: FindingKey) -> String {
    keyCounts[key, default: 0] += 1
    return "\(key.digest):\(keyCounts[key] ?? 1)"
  }
}
