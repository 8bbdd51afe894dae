import JSONStream

extension LintConfiguration {
  /// Reads a configuration's text; throws all problems at once.
  ///
  /// `rules` are the names that it may use, housekeeping aside.
  package init(
    reading bytes: [UInt8], file: String, rules: [String] = Rule.all.map(\.id)
  ) throws(LintFileError) {
    self.init()
    var draft = ConfigurationDraft(LintFileReader(bytes, file: file), rules: rules)
    let root = try draft.reader.root()
    let keys = ConfigurationDraft.keys
    for member in draft.reader.members(of: root, "the configuration", known: keys.map(\.name)) ?? []
    {
      keys.first { $0.name == member.key }?.read(&draft, &self, member.value)
    }
    try draft.reader.finish()
  }
}

/// Reads the parts of a configuration; each key is a row.
private struct ConfigurationDraft {
  typealias Key = (
    name: String,
    read: @Sendable (inout ConfigurationDraft, inout LintConfiguration, JSONValue) -> Void
  )

  var reader: LintFileReader
  /// Names that a waiver may use.
  let waivable: [String]
  /// Names that may be given a severity.
  let adjustable: [String]

  init(_ reader: LintFileReader, rules: [String]) {
    self.reader = reader
    waivable = rules
    adjustable = rules + RuleDescription.housekeeping.map(\.id)
  }

  static let keys: [Key] = [
    // Editors find the JSON Schema by this key.
    ("$schema", { draft, _, value in _ = draft.reader.text(value, "'$schema'") }),
    (
      "profile",
      { draft, configuration, value in
        configuration.profile = draft.reader.word(value, "'profile'", of: LintProfile.self)
      }
    ),
    (
      "rules",
      { draft, configuration, value in configuration.overrides = draft.overrides(value) }
    ),
    (
      "promoted",
      { draft, configuration, value in
        configuration.promoted =
          draft.reader.elements(of: value, "'promoted'")?.compactMap {
            draft.path($0, "an entry of 'promoted'")
          } ?? []
      }
    ),
    (
      "transformers",
      { draft, configuration, value in
        configuration.transformers = draft.reader.texts(value, "'transformers'").map { Set($0) }
      }
    ),
    (
      "baseline",
      { draft, configuration, value in
        configuration.baseline = draft.path(value, "'baseline'")
      }
    ),
    (
      "waivers",
      { draft, configuration, value in
        configuration.waivers =
          draft.reader.elements(of: value, "'waivers'")?.compactMap { draft.waiver($0) } ?? []
      }
    ),
  ]
}

extension ConfigurationDraft {
  /// A severity, or `off`.
  private enum Level: String, CaseIterable {
    case off, note, warning, error
  }

  mutating func overrides(_ value: JSONValue) -> [String: Severity?] {
    guard let members = reader.anyMembers(of: value, "'rules'") else { return [:] }
    var overrides: [String: Severity?] = [:]
    for member in members {
      guard isRule(member.key, of: adjustable, at: member.keyPosition),
        let level = reader.word(member.value, "the severity of \(member.key)", of: Level.self)
      else { continue }
      overrides.updateValue(Severity(rawValue: level.rawValue), forKey: member.key)
    }
    return overrides
  }

  mutating func path(_ value: JSONValue, _ name: String) -> LintConfiguration.Path? {
    reader.text(value, name).map {
      LintConfiguration.Path($0, location: reader.location(value.position))
    }
  }

  /// A waiver; nil when anything is wrong with it, all of which is reported.
  mutating func waiver(_ value: JSONValue) -> Waiver? {
    let keys = ["rule", "subject", "reason", "expires"]
    guard reader.members(of: value, "a waiver", known: keys) != nil else { return nil }
    let rule = required("rule", of: value, "name the rule whose finding it accepts")
    let subject = required(
      "subject", of: value, "write \"Entity.property\", \"Entity.*\" or \"*\" as findings name it")
    let reason = required("reason", of: value, "say why the finding is acceptable")
    let expires = value["expires"].flatMap { date($0) }
    let isKnown = rule.map { isRule($0, of: waivable, at: value["rule"]?.position) } ?? false
    guard let rule, let subject, let reason, isKnown else { return nil }
    return Waiver(
      rule: rule, subject: Waiver.Subject(subject), reason: reason, expires: expires,
      location: reader.location(value.position))
  }

  private mutating func required(
    _ key: String, of waiver: JSONValue, _ advice: String
  ) -> String? {
    guard let value = waiver[key] else {
      reader.report("a waiver needs a \(key): \(advice)", at: waiver.position)
      return nil
    }
    return reader.text(value, "a waiver's \(key)")
  }

  private mutating func date(_ value: JSONValue) -> CalendarDate? {
    guard let text = reader.text(value, "a waiver's 'expires'") else { return nil }
    let date = CalendarDate(text)
    if date == nil {
      reader.report(
        "'\(text)' is no day of the calendar: write it like 2027-03-01", at: value.position)
    }
    return date
  }

  private mutating func isRule(
    _ name: String, of names: [String], at position: JSONPosition?
  ) -> Bool {
    guard !names.contains(name) else { return true }
    let question = NearestName.question(for: name, among: names)
    let help = question.isEmpty ? "; syncctl lint --explain all lists them" : question
    reader.report("there is no rule '\(name)'\(help)", at: position)
    return false
  }
}
