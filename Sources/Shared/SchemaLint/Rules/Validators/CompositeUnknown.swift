import DataModel

extension Rule {
  static let compositeUnknown = Rule(
    "composite-unknown", .validator, .error,
    summary: "Every composite attribute names a composite type of the schema.",
    why: "without its type the attribute has no members, and no columns",
    fix: "name a composite type that the schema has, or add this one",
    check: attributes(.all) { site in
      guard site.attribute.type == .composite else { return nil }
      guard let name = site.attribute.compositeName else {
        return (.compositeName, "is composite and names no composite type")
      }
      return site.schema.composite(name) == nil
        ? (.compositeName, "has the composite type \(name), which does not exist") : nil
    })
}
