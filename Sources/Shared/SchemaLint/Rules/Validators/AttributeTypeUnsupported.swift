import DataModel

extension Rule {
  static let attributeTypeUnsupported = Rule(
    "attribute-type-unsupported", .validator, .error,
    summary: "Every attribute has a type that records can hold.",
    why: "a value without a type, or with a meaning on one device only, cannot be sent",
    fix: "choose one of the value types; for another object, use a relationship",
    check: attributes(.mirrored) { site in
      supportedTypes.contains(site.attribute.type)
        ? nil : (.type, "has the type \(site.attribute.type), which no record can hold")
    })

  private static let supportedTypes: Set<Schema.AttributeType> = Set(Schema.AttributeType.known)
    .subtracting([.undefined, .objectID])
}
