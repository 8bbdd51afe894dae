import DataModel

extension Rule {
  /// Looks at the newest promoted version only: earlier growth was decided on when it was promoted.
  static let versionFieldMissing = Rule(
    "version-field-missing", .additive, .note,
    summary: "An entity that grows lets older apps tell newer objects apart.",
    why: "older apps fetch every object, and show it without what they do not know",
    fix: "leave it if older apps may do that; else add an integer attribute as version field",
    check: { pass in
      guard let pair = pass.pairs.last, let schema = pair.new.schema, let evolution = pair.evolution
      else { return [] }
      let used = pass.usedNames
      return schema.entities.compactMap { entity in
        guard !entity.isAbstract, schema.versionField(of: entity) == nil else { return nil }
        let names = evolution.gained
          .filter { $0.isNews(to: entity, in: pair) && !used.contains($0.element) }
          .map(\.new.name).sorted()
        return names.isEmpty
          ? nil
          : Offence(
            .entity(entity.name), nil,
            "\(entity.name) gained \(abridged(names)) but has no version field",
            against: pair.old.label)
      }
    })

  private static func abridged(_ names: [String]) -> String {
    let shown = names.count > 4 ? Array(names.prefix(3)) + ["\(names.count - 3) more"] : names
    return shown.count > 1
      ? shown.dropLast().joined(separator: ", ") + " and \(shown[shown.count - 1])"
      : shown.joined()
  }
}

extension PropertyGain {
  /// Whether older apps see the entity's objects without the property, and no other rule says so.
  fileprivate func isNews(to entity: Schema.Entity, in pair: LintPair) -> Bool {
    guard self.entity == entity.name, pair.new.isInRecords(new) else { return false }
    switch new {
    case .attribute(let attribute): return !attribute.isUnwrittenByOldApps
    case .relationship(let relationship):
      return !relationship.mustHoldSomething && !isToldAtInverse(relationship, in: pair)
    }
  }

  /// Two ends that came together are one growth, told at the first.
  private func isToldAtInverse(_ relationship: Schema.Relationship, in pair: LintPair) -> Bool {
    guard let inverse = pair.newInverse(of: relationship), let owner = element.ownerName,
      inverse < PropertyAddress(entity: owner, name: relationship.name)
    else { return false }
    let far = SchemaElement.relationship(entity: inverse.entity, name: inverse.name)
    return pair.evolution?.gained.contains {
      $0.element == far && pair.new.isInRecords($0.new)
    } ?? false
  }
}

extension LintPass {
  /// The properties that some promoted version had, and those whose name one had: of a name that is
  /// taken again `name-reused` speaks.
  fileprivate var usedNames: Set<SchemaElement> {
    Set(
      pairs.flatMap { pair -> [SchemaElement] in
        guard let evolution = pair.evolution else { return [] }
        return evolution.attributes.map(\.element) + evolution.relationships.map(\.element)
          + pair.takenNames.map(\.element)
      })
  }
}
