import DataModel

extension Rule {
  /// An optional attribute may be part of a key: an object without the value is nobody's duplicate.
  static let naturalKeyInvalid = Rule(
    "natural-key-invalid", .pitfall, .error,
    summary: "A natural key is made of stored attributes whose values compare exactly.",
    why: "after a sync, objects with equal keys are merged into one",
    fix: "name attributes that hold the thing's own identifier, optional and without a default",
    check: entities { site in
      let attributes = site.schema.allAttributes(of: site.entity)
      return site.entity.naturalKey.compactMap { name in
        let attribute = attributes.first { $0.name == name }
        guard let problem = attribute.map(\.problemAsKey) ?? "is no attribute" else { return nil }
        return Offence(
          site.element, .naturalKey,
          "\(site.entity.name) has the natural key \(name), which \(problem)")
      }
    })
}

extension Schema.Attribute {
  fileprivate var problemAsKey: String? {
    if !isStored { return "is not stored" }
    if !Self.exactTypes.contains(type) { return "is of the type \(type)" }
    return defaultValue == nil ? nil : "has a default value, which would merge all new objects"
  }

  /// Floating-point values differ in bits that nobody sees, and bytes in encodings of one value.
  private static let exactTypes: Set<Schema.AttributeType> = [
    .integer16, .integer32, .integer64, .decimal, .string, .boolean, .date, .uuid, .uri,
  ]
}
