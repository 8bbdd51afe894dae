import DataModel

extension Rule {
  /// A required attribute without a default is `attribute-required-without-default`'s.
  static let requiredFieldOldApps = Rule(
    "required-field-old-apps", .additive, .note,
    summary: "Code copes with objects whose new required attribute was never written.",
    why: "apps of the promoted version make objects without it, and the default stands in",
    fix: "choose a default that is right for objects of older apps, or make the attribute optional",
    check: versions { pair in
      (pair.evolution?.gained ?? []).compactMap { gain in
        guard case .attribute(let attribute) = gain.new, attribute.isUnwrittenByOldApps,
          !pair.isVersionField(gain), let value = attribute.defaultValue
        else { return nil }
        return Offence(
          gain.element, .defaultValue,
          "\(gain.element) is new and required, so that objects of older apps read as \(value.shown)"
        )
      }
    })
}

extension LintPair {
  /// A version field is there for objects of apps that never wrote it: its default is the lowest.
  fileprivate func isVersionField(_ gain: PropertyGain) -> Bool {
    guard let schema = new.schema, let entity = schema.entity(gain.entity) else { return false }
    return schema.versionField(of: entity) == gain.new.name
  }
}

extension Schema.Attribute {
  /// Whether it is required, and set by code that older apps do not have.
  var isUnwrittenByOldApps: Bool { !isOptional && derivation == nil }
}
