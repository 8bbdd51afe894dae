package import DataModel

/// One thing that the lint looks for: a row in `Rule.all`, a file, a folder of fixtures and a line in
/// the rule reference.
package struct Rule: Sendable, Identifiable {
  /// The name that findings, waivers and configuration use; never changes once released.
  package let id: String
  /// What the rule guards against.
  package let category: Category
  /// How bad a finding is, for each profile; a profile without an entry leaves the rule off.
  package let severity: [LintProfile: Severity]
  /// What a schema that follows the rule is like, in one sentence.
  package let summary: String
  /// Why it matters, in one sentence.
  package let why: String
  /// What to do about a finding, in one sentence.
  package let fix: String
  /// Rules about the schema in hand that may speak of the same cause; one of the two is then told.
  package let sharpens: Set<String>
  /// Finds the offences.
  package let check: @Sendable (LintPass) -> [Offence]

  /// A rule that is equally severe in the given profiles.
  package init(
    _ id: String, _ category: Category, _ severity: Severity,
    in profiles: Set<LintProfile> = Set(LintProfile.allCases), sharpens: Set<String> = [],
    summary: String, why: String, fix: String,
    check: @escaping @Sendable (LintPass) -> [Offence]
  ) {
    self.init(
      id, category, Dictionary(uniqueKeysWithValues: profiles.map { ($0, severity) }),
      sharpens: sharpens, summary: summary, why: why, fix: fix, check: check)
  }

  /// A rule whose severity depends on the profile.
  package init(
    _ id: String, _ category: Category, _ severity: [LintProfile: Severity],
    sharpens: Set<String> = [], summary: String, why: String, fix: String,
    check: @escaping @Sendable (LintPass) -> [Offence]
  ) {
    self.id = id
    self.category = category
    self.severity = severity
    self.summary = summary
    self.why = why
    self.fix = fix
    self.sharpens = sharpens
    self.check = check
  }

  /// What a rule guards against.
  package enum Category: String, Sendable, CaseIterable {
    /// What the mirroring or the server refuses outright.
    case validator
    /// What is accepted, and hurts later.
    case pitfall
    /// What breaks apps and data that a promoted version is in use with.
    case additive
  }
}

/// What a rule found wrong with one part, before severity, texts and place are added.
package struct Offence: Hashable, Sendable {
  /// The part that offends.
  package var element: SchemaElement
  /// The feature of it, where one can be named.
  package var aspect: Aspect?
  /// The part of the schema in hand to show for it, where the element itself is not in it.
  package var place: SchemaElement?
  /// What is wrong with which named thing, in one sentence without a full stop.
  package var message: String
  /// The promoted version that it breaks, where there is one.
  package var against: String?

  package init(
    _ element: SchemaElement, _ aspect: Aspect? = nil, _ message: String,
    place: SchemaElement? = nil, against: String? = nil
  ) {
    self.element = element
    self.aspect = aspect
    self.place = place
    self.message = message
    self.against = against
  }
}

/// How bad a finding is.
package enum Severity: String, Sendable, CaseIterable, Comparable {
  case note, warning, error

  package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Which rules a schema is held to, and which record mapping they look at.
package enum LintProfile: String, Sendable, CaseIterable {
  /// Core Data or SwiftData mirrored by CloudKit.
  case cloudkit
  /// Contrail's own sync.
  case contrail

  /// How objects become records under this profile.
  package var mapping: MappingProfile { self == .cloudkit ? .coreData : .native }
}
