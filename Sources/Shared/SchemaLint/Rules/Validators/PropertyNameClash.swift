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
        for property in ancestor.properties { owners[property.name] = ancestor.name }
      }
      return site.entity.properties.compactMap { name, element in
        guard let owner = owners.updateValue(site.entity.name, forKey: name) else { return nil }
        let again = owner == site.entity.name ? "twice" : "again, after its ancestor \(owner)"
        return Offence(element, .name, "\(element) is declared \(again)")
      }
    })
}

extension Schema.Entity {
  /// The entity's own properties: their names and addresses.
  var properties: [(name: String, element: SchemaElement)] {
    attributes.map { ($0.name, .attribute(entity: name, name: $0.name)) }
      + relationships.map { ($0.name, .relationship(entity: name, name: $0.name)) }
      + fetchedProperties.map { ($0.name, .fetchedProperty(entity: name, name: $0.name)) }
  }
}
