package import DataModel

// The walks that rules about promoted versions share. A pair of versions is looked at on one level:
// at its objects where both sides hold some, else at its records. So one edit gives one finding.

extension Rule {
  /// A check of the schema in hand beside each promoted version.
  package static func versions(
    _ check: @escaping @Sendable (LintPair) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      pass.pairs.flatMap { pair in
        check(pair).map { offence in
          var offence = offence
          offence.against = pair.old.label
          return offence
        }
      }
    }
  }

  /// A check of every attribute that objects have, and store, in both versions.
  package static func attributePairs(
    _ check: @escaping @Sendable (PropertyPair<Schema.Attribute>, LintPair) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    versions { pair in
      pair.evolution?.attributes.compactMap { Offence($0.element, check($0, pair)) } ?? []
    }
  }

  /// A check of every relationship that objects have, and store, in both versions.
  package static func relationshipPairs(
    _ check: @escaping @Sendable (PropertyPair<Schema.Relationship>, LintPair) -> Flaw?
  ) -> @Sendable (LintPass) -> [Offence] {
    versions { pair in
      pair.evolution?.relationships.compactMap { Offence($0.element, check($0, pair)) } ?? []
    }
  }

  /// A check of what changed in entities that both versions have.
  package static func entityChanges(
    _ aspect: Aspect,
    _ check: @escaping @Sendable (EntityChange, LintPair) -> String?
  ) -> @Sendable (LintPass) -> [Offence] {
    versions { pair in
      pair.objectChanges.compactMap { change in
        guard case .entity(let name) = change.element,
          case .changed(aspect, let before, let after) = change.kind,
          let match = pair.matching?.pair(ofNew: name)
        else { return nil }
        let entity = EntityChange(old: match.old, new: match.new, before: before, after: after)
        return Offence(change.element, check(entity, pair).map { (aspect, $0) })
      }
    }
  }

  /// A check of what changed in records, where a side holds nothing else.
  ///
  /// The offence is reported at the part that a person wrote.
  package static func recordLevelChanges(
    _ check: @escaping @Sendable (SchemaChange, LintPair) -> String?
  ) -> @Sendable (LintPass) -> [Offence] {
    versions { pair in
      guard pair.evolution == nil else { return [] }
      return pair.recordChanges.compactMap { change in
        guard let message = check(change, pair) else { return nil }
        let isRemoved = change.kind == .removed
        let element =
          isRemoved ? pair.written(removed: change.element) : pair.new.written(change.element)
        return Offence(
          element, change.aspect, "\(element) \(message)",
          place: pair.place(of: change))
      }
    }
  }

  /// A check of what both sides' record files say and objects do not: indexes, roles and grants.
  package static func recordFiles(
    _ check: @escaping @Sendable (LintPair) -> [Offence]
  ) -> @Sendable (LintPass) -> [Offence] {
    versions { pair in
      pair.old.schema == nil && pair.new.schema == nil ? check(pair) : []
    }
  }

  /// What either of two checks finds.
  package static func either(
    _ checks: (@Sendable (LintPass) -> [Offence])...
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in checks.flatMap { $0(pass) } }
  }
}

/// A feature of an entity in two versions.
package struct EntityChange: Sendable {
  package let old: Schema.Entity
  package let new: Schema.Entity
  package let before: AspectValue
  package let after: AspectValue
}

extension Offence {
  /// The offence that a flaw makes of `element`; nil without a flaw.
  package init?(_ element: SchemaElement, _ flaw: Flaw?) {
    guard let flaw else { return nil }
    self.init(element, flaw.aspect, "\(element) \(flaw.message)")
  }
}

extension LintPair {
  /// The old versions of a name in the new schema's terms: the new name, or the old one where the
  /// entity is gone.
  package func newName(ofEntity name: String) -> String { evolution?.entities[name] ?? name }

  /// Whether the old entity of that name is in the new schema no longer.
  package func isRemoved(entity name: String) -> Bool {
    evolution.map { $0.entities[name] == nil && old.schema?.entity(name) != nil } ?? false
  }

  /// The inverse of an old relationship by its old address.
  package func oldInverse(of relationship: Schema.Relationship) -> PropertyAddress? {
    old.schema?.inverse(of: relationship).map {
      PropertyAddress(entity: $0.entity.name, name: $0.end.name)
    }
  }

  /// The inverse of a new relationship by its address.
  package func newInverse(of relationship: Schema.Relationship) -> PropertyAddress? {
    new.schema?.inverse(of: relationship).map {
      PropertyAddress(entity: $0.entity.name, name: $0.end.name)
    }
  }
}
