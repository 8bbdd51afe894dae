import DataModel
package import SchemaFormats

/// Holds a schema to the rules, and to every promoted version.
package struct Linter: Sendable {
  /// The rules to apply, each with the severity that it has here.
  package var rules: [(rule: Rule, severity: Severity)]
  /// Which mapping and texts apply.
  package var profile: LintProfile
  /// Value transformers that the user says are registered and reversible; nil when nothing was said.
  package var knownTransformers: Set<String>?

  /// A linter with the profile's rules; `overrides` switches single rules off (nil) or gives them
  /// another severity.
  package init(
    profile: LintProfile, overrides: [String: Severity?] = [:],
    knownTransformers: Set<String>? = nil, table: [Rule] = Rule.all
  ) {
    self.profile = profile
    self.knownTransformers = knownTransformers
    rules = table.compactMap { rule in
      let severity = overrides[rule.id] ?? rule.severity[profile]
      return severity.map { (rule, $0) }
    }
  }

  /// All findings, in the order of the file.
  package func findings(
    in document: SchemaDocument, promoted: [SchemaDocument] = []
  ) -> [Finding] {
    let documents = Self.carryingCanonicalNames(promoted + [document])
    let subjects = documents.map { LintSubject($0, profile: profile) }
    guard let current = subjects.last else { return [] }
    let pass = LintPass(
      subject: current, pairs: subjects.dropLast().map { LintPair(old: $0, new: current) },
      profile: profile, knownTransformers: knownTransformers)
    let sightings = rules.flatMap { rule, severity in
      Self.merged(rule.check(pass)).map { Sighting(rule, severity, $0, against: $1) }
    }
    return Sighting.toldOnce(sightings).map { $0.finding(in: current.document) }
      .sorted {
        ($0.location.position, $0.rule, $0.subject) < ($1.location.position, $1.rule, $1.subject)
      }
  }

  /// One offence against several promoted versions is one finding that names them all.
  private static func merged(_ offences: [Offence]) -> [(Offence, against: [String])] {
    var order: [Offence] = []
    var labels: [Offence: [String]] = [:]
    for offence in offences {
      var key = offence
      key.against = nil
      if labels[key] == nil { order.append(key) }
      labels[key, default: []] += [offence.against].compactMap { $0 }
    }
    return order.map { ($0, labels[$0] ?? []) }
  }

  /// Traces renames through the versions that hold objects, so that the oldest one is recognised.
  static func carryingCanonicalNames(_ documents: [SchemaDocument]) -> [SchemaDocument] {
    let schemas = documents.compactMap { document -> Schema? in
      if case .objects(let schema) = document.content { schema } else { nil }
    }
    var carried = Schema.carryingCanonicalNames(through: schemas).makeIterator()
    return documents.map { document in
      guard case .objects = document.content, let schema = carried.next() else { return document }
      var copy = document
      copy.content = .objects(schema)
      return copy
    }
  }
}
