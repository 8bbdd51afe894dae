import DataModel

extension Rule {
  static let fetchEntityUnknown = Rule(
    "fetch-entity-unknown", .validator, .error,
    summary: "Every fetch that the model names is of an entity of the schema.",
    why: "the fetch fails when the app first runs it",
    fix: "correct the entity's name, or remove the fetch",
    check: { pass in
      guard let schema = pass.subject.schema else { return [] }
      let properties = schema.entities.flatMap { entity in
        entity.fetchedProperties.map {
          (SchemaElement.fetchedProperty(entity: entity.name, name: $0.name), $0.request.entity)
        }
      }
      let requests = schema.fetchRequests.map { (SchemaElement.fetchRequest($0.name), $0.entity) }
      return (properties + requests).filter { schema.entity($0.1) == nil }.map {
        Offence($0.0, .fetchEntity, "\($0.0) fetches \($0.1), which does not exist")
      }
    })
}
