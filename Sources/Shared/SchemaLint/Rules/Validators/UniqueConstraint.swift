import DataModel

extension Rule {
  static let uniqueConstraint = Rule(
    "unique-constraint", .validator, .error,
    summary: "A synced entity has no unique constraints.",
    why: "two devices that are offline can each create the same value, and neither may be refused",
    fix: "remove the constraint, and name a natural key so that duplicates are merged after sync",
    check: entities(.mirrored) { site in
      site.entity.uniquenessConstraints.map { properties in
        Offence(
          .uniqueness(entity: site.entity.name, properties: properties), nil,
          "\(site.entity.name) is unique by (\(properties.joined(separator: ", ")))")
      }
    })
}
