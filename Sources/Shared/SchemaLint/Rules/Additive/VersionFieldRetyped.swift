import DataModel

extension Rule {
  static let versionFieldRetyped = Rule(
    "version-field-retyped", .additive, .error, sharpens: ["version-field-invalid"],
    summary: "A version field stays the kind of number that it was promoted as.",
    why: "apps of the promoted version compare it with the highest version that they support",
    fix: "put the old type back",
    check: versions { pair in
      (pair.evolution?.attributes ?? []).compactMap { attribute in
        guard attribute.differs(\.type), let entity = pair.entityVersioned(by: attribute),
          // Every width of integer is the same field, and versions are small.
          !(attribute.old.type.isInteger && attribute.new.type.isInteger)
        else { return nil }
        return Offence(
          .entity(entity), .versionField,
          "\(entity) has the version field \(attribute.new.name), which was "
            + "\(attribute.old.type) and is \(attribute.new.type)")
      }
    })
}
