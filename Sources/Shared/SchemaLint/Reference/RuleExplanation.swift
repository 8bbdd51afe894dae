/// What `syncctl lint --explain` says.
extension RuleReference {
  /// About one rule: what it demands, why, what to do, and how to waive a finding; nil when there is
  /// no such rule.
  package static func explanation(
    of id: String, rules: [Rule] = Rule.all, example: RuleExample? = nil
  ) -> String? {
    guard let rule = rules.first(where: { $0.id == id }) else {
      return RuleDescription.housekeeping.first { $0.id == id }.map { explanation($0) }
    }
    let severities = LintProfile.allCases.map { profile in
      "\(profile.rawValue): \(rule.severity[profile]?.rawValue ?? "off")"
    }
    let head = """
      \(rule.id)  (\(severities.joined(separator: ", ")))

      \(rule.summary)

        why  \(rule.why)
        fix  \(rule.fix)
      """
    return [head, example.map { shown($0) }, waiving(rule.id)].compactMap { $0 }
      .joined(separator: "\n\n") + "\n"
  }

  /// What to say when there is no rule of that name: the nearest names, or where the list is.
  package static func unknownRule(_ id: String, rules: [Rule] = Rule.all) -> String {
    let names = rules.map(\.id) + RuleDescription.housekeeping.map(\.id)
    let question = NearestName.question(for: id, among: names)
    let help = question.isEmpty ? "; syncctl lint --explain all lists them" : question
    return "there is no rule '\(id)'\(help)"
  }

  /// Every rule with its summary, by category.
  package static func list(_ rules: [Rule] = Rule.all) -> String {
    let width = rules.map(\.id.count).max() ?? 0
    let groups = Rule.Category.allCases.compactMap { category -> String? in
      let members = rules.filter { $0.category == category }
      let lines = members.map { rule in
        "  \(rule.id)\(String(repeating: " ", count: width - rule.id.count))  \(rule.summary)"
      }
      return lines.isEmpty ? nil : ([category.heading] + lines).joined(separator: "\n")
    }
    return groups.joined(separator: "\n\n") + "\n\nMore about one: syncctl lint --explain RULE\n"
  }

  private static func shown(_ example: RuleExample) -> String {
    let schema = example.schema.split(separator: "\n").map { "  \($0)" }
    let findings = example.findings.map { "  \($0)" }
    return "This breaks it:\n\n\((schema + [""] + findings).joined(separator: "\n"))"
  }

  private static func waiving(_ id: String) -> String {
    """
    To accept a finding for a while, add this to \(LintConfiguration.fileName) beside the schema
    ("Entity.*" accepts it for a whole entity; leave "expires" out to accept it for ever):

      {
        "waivers": [
          {
            "rule": "\(id)",
            "subject": "Entity.property",
            "reason": "why this is acceptable",
            "expires": "2027-03-01"
          }
        ]
      }

    To give the rule another severity, or to switch it off:

      { "rules": { "\(id)": "off" } }
    """
  }

  private static func explanation(_ rule: RuleDescription) -> String {
    """
    \(rule.id)  (\(rule.severity.rawValue))

    \(rule.summary)

      why  \(rule.why)
      fix  \(rule.fix)

    To give it another severity, or to switch it off, in \(LintConfiguration.fileName):

      { "rules": { "\(rule.id)": "off" } }

    """
  }
}

extension Rule.Category {
  fileprivate var heading: String {
    switch self {
    case .validator: "refused"
    case .pitfall: "accepted, and hurts later"
    case .additive: "breaks apps that are in use"
    }
  }
}
