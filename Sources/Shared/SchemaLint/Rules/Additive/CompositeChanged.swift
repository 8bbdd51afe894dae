import DataModel

extension Rule {
  static let compositeChanged = Rule(
    "composite-changed", .additive, .error,
    summary: "A composite type keeps its members, and an attribute keeps its composite type.",
    why: "each member is a field of the record, and production keeps it with the type that it has",
    fix: "put the member back as it was, and add another one for the new values",
    check: either(
      versions { pair in
        guard pair.evolution != nil else { return [] }
        return pair.objectChanges.compactMap { change in
          guard case .member = change.element, let message = change.kind.memberMessage else {
            return nil
          }
          return Offence(change.element, change.aspect, "\(change.element) \(message)")
        }
      },
      attributePairs { pair, versions in
        guard pair.old.type == .composite, pair.new.type == .composite,
          let before = pair.old.compositeName, let after = pair.new.compositeName, before != after,
          !versions.hasSameParts(pair.old, pair.new)
        else { return nil }
        return (.compositeName, "had the composite type \(before) and has \(after)")
      }))
}

extension LintPair {
  /// Whether the composite type of an attribute has only got another name.
  func hasSameParts(_ before: Schema.Attribute, _ after: Schema.Attribute) -> Bool {
    guard let old = old.schema, let new = new.schema, let before = before.compositeName,
      let after = after.compositeName
    else { return false }
    return old.hasSameParts(before, as: after, of: new)
  }
}

extension SchemaChange.Kind {
  fileprivate var memberMessage: String? {
    switch self {
    case .removed: "was removed, but production keeps its field for ever"
    case .renamed(let old): "was named \(old), and production keeps that name"
    case .changed(.type, let old, let new): "was \(old) and is \(new)"
    case .added, .changed: nil
    }
  }
}
