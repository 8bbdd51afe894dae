import DataModel

extension Rule {
  static let attributeRequiredWithoutDefault = Rule(
    "attribute-required-without-default", .validator, [.cloudkit: .error, .contrail: .warning],
    summary: "Every attribute is optional or has a default value.",
    why: "a record that another version of the app wrote may lack the field",
    fix: "make the attribute optional, or give it a default value",
    check: attributes(.mirrored) { site in
      guard !site.attribute.isOptional, site.attribute.defaultValue == nil, site.mustBeFilled
      else { return nil }
      return (.isOptional, "is required and has no default value")
    })
}

extension AttributeSite {
  /// Whether a record that lacks the field leaves the attribute without a value.
  ///
  /// Core Data's validator looks at the attributes of entities, whatever their kind, and not into
  /// composite types. Our own store computes derived values, and takes a composite as its members.
  fileprivate var mustBeFilled: Bool {
    pass.profile == .cloudkit
      ? entity != nil : attribute.derivation == nil && attribute.type != .composite
  }
}
