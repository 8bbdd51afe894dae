import DataModel

extension Rule {
  /// Core Data's validator looks at the attributes of entities, whatever their kind, and not into
  /// composite types; our own sync gives what a record lacks the type's empty value.
  static let attributeRequiredWithoutDefault = Rule(
    "attribute-required-without-default", .validator, .error, in: [.cloudkit],
    summary: "Every attribute that CloudKit mirrors is optional or has a default value.",
    why: "a record that another version of the app wrote may lack the field",
    fix: "make the attribute optional, or give it a default value",
    check: attributes(.mirrored) { site in
      guard site.entity != nil, !site.attribute.isOptional, site.attribute.defaultValue == nil
      else { return nil }
      return (.isOptional, "is required and has no default value")
    })
}
