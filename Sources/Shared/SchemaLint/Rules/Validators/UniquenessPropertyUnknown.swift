import DataModel

extension Rule {
  static let uniquenessPropertyUnknown = Rule(
    "uniqueness-property-unknown", .validator, .error,
    summary: "Every unique constraint is over stored properties of its entity.",
    why: "a constraint over a property that has no column cannot be kept",
    fix: "correct the property's name, or remove the constraint",
    check: entities { site in
      site.entity.uniquenessConstraints.flatMap { properties in
        properties.compactMap { name in
          site.problem(ofStored: name).map {
            Offence(
              .uniqueness(entity: site.entity.name, properties: properties), nil,
              "\(site.entity.name) is unique by \(name), which \($0)")
          }
        }
      }
    })
}
