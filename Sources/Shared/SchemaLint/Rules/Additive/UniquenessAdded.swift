import DataModel

extension Rule {
  static let uniquenessAdded = Rule(
    "uniqueness-added", .additive, .error, sharpens: ["unique-constraint"],
    summary: "An entity that production has becomes unique by nothing new.",
    why: "production may hold duplicates, and apps of the promoted version go on making them",
    fix: "remove the constraint, and name a natural key so that duplicates are merged after sync",
    check: versions { pair in
      pair.objectChanges.compactMap { change in
        guard case .uniqueness(let entity, let properties) = change.element, change.kind == .added
        else { return nil }
        return Offence(
          change.element, nil,
          "\(entity) is newly unique by (\(properties.joined(separator: ", ")))")
      }
    })
}
