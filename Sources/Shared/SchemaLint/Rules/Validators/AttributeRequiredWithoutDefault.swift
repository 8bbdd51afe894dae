import DataModel

extension Rule {
  static let attributeRequiredWithoutDefault = Rule(
    "attribute-required-without-default", .validator, .error,
    summary: "Every attribute is optional or has a default value.",
    why: "a record that another version of the app wrote may lack the field",
    fix: "make the attribute optional, or give it a default value",
    check: attributes { attribute, _ in
      guard !attribute.isOptional, attribute.defaultValue == nil, attribute.derivation == nil,
        attribute.type != .composite
      else { return nil }
      return (.isOptional, "is required and has no default value")
    })
}
