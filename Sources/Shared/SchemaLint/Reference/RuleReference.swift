/// Writes `Documentation/lint-rules.md` from the rules themselves, so that it cannot go stale.
package enum RuleReference {
  /// The page, with an example for each rule whose example is simple.
  package static func markdown(
    _ rules: [Rule] = Rule.all, examples: [String: RuleExample] = [:]
  ) -> String {
    let sections = Rule.Category.allCases.flatMap { category -> [String] in
      let members = rules.filter { $0.category == category }
      guard !members.isEmpty else { return [] }
      return ["## \(title(category))", introduction(category)]
        + members.map { section($0, example: examples[$0.id]) }
    }
    let blocks = [head, index(rules)] + sections + [housekeeping]
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static let head = """
    # Lint rules

    <!-- Written from the rules; a test compares it and says how to write it again. -->

    `syncctl lint SCHEMA` holds a schema to these rules. `contrail-lint.json` beside the schema can
    give a rule another severity, switch it off, or waive single findings with a reason;
    `syncctl lint --explain RULE` shows how. The schema is compared with every promoted version,
    not only with the last.
    """

  /// A table of all rules with their severities.
  private static func index(_ rules: [Rule]) -> String {
    let profiles = LintProfile.allCases
    let head = ["rule"] + profiles.map(\.rawValue) + ["what it demands"]
    let rows = rules.map { rule in
      ["[\(rule.id)](#\(rule.id))"] + profiles.map { severity(of: rule, in: $0) }
        + [rule.summary.replacing("|", with: "\\|")]
    }
    let lines = [head, head.map { _ in "---" }] + rows
    return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  private static func section(_ rule: Rule, example: RuleExample?) -> String {
    let severities = LintProfile.allCases
      .map { "\($0.rawValue): \(severity(of: rule, in: $0))" }.joined(separator: ", ")
    let texts = """
      ### \(rule.id)

      \(rule.summary) (\(severities))

      - **Why:** \(rule.why).
      - **Fix:** \(rule.fix).
      """
    guard let example, example.isSimple else { return texts }
    return """
      \(texts)

      ```\(example.language)
      \(example.schema.trimmingLineEnds)
      ```

      ```text
      \(example.findings.joined(separator: "\n"))
      ```
      """
  }

  private static var housekeeping: String {
    let lines = RuleDescription.housekeeping.map {
      "- `\($0.id)` (\($0.severity.rawValue)): \($0.summary) Otherwise, \($0.why)."
    }
    return """
      ## The lint's own files

      These say what no longer holds in `contrail-lint.json` and in the baseline. They can be given
      another severity or switched off like rules, but not waived.

      \(lines.joined(separator: "\n"))
      """
  }

  private static func severity(of rule: Rule, in profile: LintProfile) -> String {
    rule.severity[profile]?.rawValue ?? "off"
  }

  private static func title(_ category: Rule.Category) -> String {
    switch category {
    case .validator: "What is refused"
    case .pitfall: "What is accepted, and hurts later"
    case .additive: "What breaks apps that are in use"
    }
  }

  private static func introduction(_ category: Rule.Category) -> String {
    switch category {
    case .validator:
      "A schema that breaks one of these is refused: when the store is opened, or by the server."
    case .pitfall: "No validator reports these; users of the app do, later."
    case .additive:
      "These compare the schema with every promoted version, since apps of each are still in use."
    }
  }
}

extension String {
  fileprivate var trimmingLineEnds: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }
}
