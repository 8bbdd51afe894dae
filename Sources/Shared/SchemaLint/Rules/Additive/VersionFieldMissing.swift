import DataModel

extension Rule {
  /// Looks at the newest promoted version only: earlier growth was decided on when it was promoted.
  static let versionFieldMissing = Rule(
    "version-field-missing", .additive, .note,
    summary: "An entity that grows lets older apps tell newer objects apart.",
    why:
      "without a version field older apps fetch every object, and show it without what they do not know",
    fix:
      "leave it if that is right for older apps; else add an integer attribute and name it as version field",
    check: { pass in
      guard let pair = pass.pairs.last, let schema = pair.new.schema, let evolution = pair.evolution
      else { return [] }
      return schema.entities.compactMap { entity in
        guard !entity.isAbstract, schema.versionField(of: entity) == nil else { return nil }
        let names = evolution.gained.filter { $0.isNews(to: entity, in: pair.new) }.map(\.new.name)
        guard !names.isEmpty else { return nil }
        let message =
          "\(entity.name) gained \(names.sorted().joined(separator: ", ")) and has no version field"
        return Offence(.entity(entity.name), nil, message, against: pair.old.label)
      }
    })
}

extension PropertyGain {
  /// Whether older apps see the entity's objects without the property, and no other rule says so.
  fileprivate func isNews(to entity: Schema.Entity, in subject: LintSubject) -> Bool {
    guard self.entity == entity.name, subject.isInRecords(new) else { return false }
    switch new {
    case .attribute(let attribute): return !attribute.isUnwrittenByOldApps
    case .relationship(let relationship): return relationship.isOptional
    }
  }
}
