package import DataModel

// The walks over one schema: a rule is only the comparison at the end of one of them. What a rule
// compares is the part in front of it, a site; what it says is a flaw.

/// What is wrong with the part in front of a rule: the feature, where one can be named, and the rest
/// of a sentence that begins with the part's name.
package typealias Flaw = (aspect: Aspect?, message: String)

/// How far a walk goes.
package enum Reach: Sendable {
  /// Every part.
  case all
  /// What a store keeps.
  case stored
  /// What the profile's mirroring looks at, in the entities that are mirrored: Core Data's validator
  /// judges transient properties like all others, ours only what is stored.
  case mirrored
}

extension Reach {
  func includesTransient(_ profile: LintProfile) -> Bool {
    self == .all || (self == .mirrored && profile == .cloudkit)
  }
}

extension Rule {
  /// A check of every entity.
  package static func entities(
    _ reach: Reach = .all, _ check: @escaping @Sendable (EntitySite) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in pass.sites.entities(reach).flatMap(check) }
  }

  /// A check of every entity; nil when it is fine.
  package static func entity(
    _ reach: Reach = .all, _ check: @escaping @Sendable (EntitySite) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    entities(reach) { site in
      check(site).map { [Offence(site.element, $0.aspect, "\(site.element) \($0.message)")] } ?? []
    }
  }

  /// A check of every attribute, members of composite types included; nil when it is fine.
  package static func attributes(
    _ reach: Reach = .stored, _ check: @escaping @Sendable (AttributeSite) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      pass.sites.attributes(reach).compactMap { site in
        check(site).map { Offence(site.element, $0.aspect, "\(site.element) \($0.message)") }
      }
    }
  }

  /// A check of every relationship; nil when it is fine.
  package static func relationships(
    _ reach: Reach = .stored, _ check: @escaping @Sendable (RelationshipSite) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      pass.sites.relationships(reach).compactMap { site in
        check(site).map { Offence(site.element, $0.aspect, "\(site.element) \($0.message)") }
      }
    }
  }
}
