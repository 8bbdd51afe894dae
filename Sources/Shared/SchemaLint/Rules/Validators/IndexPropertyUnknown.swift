import DataModel

extension Rule {
  static let indexPropertyUnknown = Rule(
    "index-property-unknown", .validator, .error,
    summary: "Every index is over stored properties of its entity.",
    why: "an index over a property that has no column cannot be made",
    fix: "correct the property's name, or remove it from the index",
    check: entities { site in
      site.entity.indexes.flatMap { index in
        index.elements.compactMap { element in
          guard !element.isExpression, let problem = site.problem(ofStored: element.subject) else {
            return nil
          }
          return Offence(
            .index(entity: site.entity.name, name: index.name), .indexElements,
            "\(site.entity.name) has an index over \(element.subject), which \(problem)")
        }
      }
    })
}

extension EntitySite {
  /// Why an index or a constraint cannot be over the property of that name; nil where it can.
  ///
  /// A path into a composite attribute counts by its beginning.
  func problem(ofStored path: String) -> String? {
    let name = path.split(separator: ".").first.map(String.init) ?? path
    if let attribute = schema.allAttributes(of: entity).first(where: { $0.name == name }) {
      return attribute.isStored ? nil : "is not stored"
    }
    if let relationship = schema.allRelationships(of: entity).first(where: { $0.name == name }) {
      return relationship.isTransient ? "is not stored" : nil
    }
    return "does not exist"
  }
}
