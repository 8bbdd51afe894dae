import DataModel
import SchemaFormats
import SchemaLint

extension ContainerSchema {
  /// What a promotion of development to production would do.
  ///
  /// It only adds: types, fields, indexes, grants and roles that production lacks. `accepting` names
  /// rules about pitfalls to pass over; others cannot be. What production has already is not held
  /// against it again.
  package func planPromotion(accepting accepted: Set<String> = []) -> SchemaPlan {
    var plan = SchemaPlan(
      .production, of: self,
      candidate: promotedProduction?.merged(with: development) ?? development)
    plan.kept = diff(development, plan.candidate)
    plan.refusals = accepted.subtracting(SchemaGate.acceptable).sorted().map(Self.notAcceptable)
    guard !plan.changes.isEmpty else { return plan }
    plan.findings = newFindings(in: plan.candidate)
    let errors = plan.findings.filter { $0.severity == .error }
    plan.refusals += errors.filter { !accepted.contains($0.rule) }.map { SchemaRefusal($0) }
    plan.accepted = Set(errors.map(\.rule)).intersection(accepted).sorted()
    plan.refusals.add(plan.candidate.unsettledNumbers)
    plan.refusals.add(dryRunProblems(of: plan.candidate))
    return plan
  }

  /// Adds to production what development has beyond it, as `planPromotion` tells; all of it or
  /// nothing.
  ///
  /// A second promotion of the same changes nothing, and leaves no entry in the audit list.
  package func promoting(
    accepting accepted: Set<String> = [], by mark: AuditMark
  ) -> SchemaOutcome {
    let plan = planPromotion(accepting: accepted)
    return SchemaOutcome(plan, of: self) { next in
      next.putInProduction(plan.candidate)
      next.record(.promoted, mark, plan.changes, accepted: plan.accepted)
    }
  }

  /// What was promoted so far; nil before the first promotion.
  ///
  /// A production that nobody has promoted to has the type Users with the grants that the server
  /// gave it. Nobody relies on them, and an app may want to show its users to no one.
  private var promotedProduction: RecordSchema? { production == .empty ? nil : production }

  /// Findings about the candidate that are not true of production as it is.
  private func newFindings(in candidate: RecordSchema) -> [Finding] {
    func findings(_ schema: RecordSchema, _ label: String) -> [Finding] {
      SchemaGate.findings(
        in: SchemaGate.document(of: schema, label: label), against: promotedProduction,
        rules: Rule.all)
    }
    let old = LintBaseline(accepting: findings(production, "production"))
    return BaselineOutcome(findings(candidate, "development"), baseline: old).kept
  }

  /// Carries out the promotion on a copy, and holds that to the rules of every container; proves too
  /// that the result can be exported and read back.
  private func dryRunProblems(of candidate: RecordSchema) -> [SchemaRefusal] {
    // Where the candidate breaks a promise, that alone says all.
    let breaches = promoted.breaches(by: candidate)
    guard breaches.isEmpty else { return breaches }
    var copy = self
    copy.putInProduction(candidate)
    return copy.flaws + candidate.exportProblems
  }

  private mutating func putInProduction(_ candidate: RecordSchema) {
    production = candidate
    promoted.add(candidate)
  }

  private static func notAcceptable(_ rule: String) -> SchemaRefusal {
    SchemaRefusal(
      .notAcceptable, .schema, "the rule \(rule.shownName) cannot be passed over",
      fix: "name rules about pitfalls only, such as \(Rule.writeToWorldID)")
  }
}

extension Rule {
  fileprivate static let writeToWorldID = "write-to-world"
}

extension RecordSchema {
  /// Why the schema could not be exported, or would not be the same when it is read back.
  fileprivate var exportProblems: [SchemaRefusal] {
    let problem: String
    do {
      let text = try CKDB.text(of: self)
      let read = try CKDB.read(Array(text.utf8), file: "production", label: "production")
      guard read.content != .records(self) else { return [] }
      problem = "an export of the schema would not be read back as it is"
    } catch {
      problem = "\(error)"
    }
    return [
      SchemaRefusal(
        .inconsistent, .schema, problem, fix: "change the part in development, then promote again")
    ]
  }
}
