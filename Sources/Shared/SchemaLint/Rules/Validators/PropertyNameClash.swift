import DataModel

extension Rule {
  static let propertyNameClash = Rule(
    "property-name-clash", .validator, .error,
    summary: "No two properties of an entity have one name, inherited ones included.",
    why: "one column, one record field and one accessor cannot serve two properties",
    fix: "rename one of them, or keep only the ancestor's",
    check: entities { site in
      var owners: [String: String] = [:]
      for ancestor in site.schema.ancestors(of: site.entity).reversed() {
        for element in ancestor.propertyElements {
          if let name = element.partName { owners[name] = ancestor.name }
        }
      }
      return site.entity.propertyElements.compactMap { element in
        guard let name = element.partName else { return nil }
        guard let owner = owners.updateValue(site.entity.name, forKey: name) else { return nil }
        let by = owner == site.entity.name ? "twice" : "again, after its ancestor \(owner)"
        return Offence(element, .name, "\(element) is declared \(by)")
      }
    })
}

extension Schema.Entity {
  /// The addresses of the entity's own properties.
  var propertyElements: [SchemaElement] {
    attributes.map { .attribute(entity: name, name: $0.name) }
      + relationships.map { .relationship(entity: name, name: $0.name) }
      + fetchedProperties.map { .fetchedProperty(entity: name, name: $0.name) }
  }
}
