import DataModel

extension Rule {
  static let versionFieldInvalid = Rule(
    "version-field-invalid", .pitfall, .error,
    summary: "A version field is a stored integer with a default that the server can read.",
    why: "older apps tell by it which objects are too new for them, and a record without it is old",
    fix: "name an integer attribute, and give it this version's number as its default value",
    check: entity { site in
      guard let name = site.entity.versionField else { return nil }
      let attributes = site.schema.allAttributes(of: site.entity)
      guard let attribute = attributes.first(where: { $0.name == name }) else {
        return (.versionField, "has the version field \(name), which is no attribute")
      }
      return attribute.problemAsVersion.map {
        (.versionField, "has the version field \(name), which \($0)")
      }
    })
}

extension Schema.Attribute {
  fileprivate var problemAsVersion: String? {
    if !type.isInteger { return "is no integer" }
    if !isStored { return "is not stored" }
    if derivation != nil { return "is derived" }
    if options.contains(.encrypted) { return "is encrypted" }
    return defaultValue == nil ? "has no default value" : nil
  }
}
