import DataModel

extension Rule {
  static let configurationMemberUnknown = Rule(
    "configuration-member-unknown", .validator, .error,
    summary: "Every member of a configuration is an entity of the schema.",
    why: "the model cannot be loaded with a name that stands for nothing",
    fix: "correct the entity's name, or remove it from the configuration",
    check: { pass in
      guard let schema = pass.subject.schema else { return [] }
      return schema.configurations.flatMap { configuration in
        configuration.entities.filter { schema.entity($0) == nil }.map {
          Offence(
            .configuration(configuration.name), .memberEntities,
            "configuration \(configuration.name) contains \($0), which does not exist")
        }
      }
    })
}
