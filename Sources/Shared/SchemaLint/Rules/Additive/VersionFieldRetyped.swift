import DataModel

extension Rule {
  static let versionFieldRetyped = Rule(
    "version-field-retyped", .additive, .error,
    summary: "A version field stays the kind of number that it was promoted as.",
    why: "apps of the promoted version compare it with the highest version that they support",
    fix: "put the old type back",
    check: attributePairs { pair, versions in
      guard pair.differs(\.type), versions.isVersionField(pair),
        // Every width of integer is the same field, and versions are small.
        !(pair.old.type.isInteger && pair.new.type.isInteger)
      else { return nil }
      return (.type, "is the version field, was \(pair.old.type) and is \(pair.new.type)")
    })
}
