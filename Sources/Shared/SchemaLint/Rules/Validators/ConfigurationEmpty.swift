import DataModel

extension Rule {
  static let configurationEmpty = Rule(
    "configuration-empty", .validator, [.cloudkit: .error, .contrail: .warning],
    summary: "Every configuration contains entities.",
    why: "a store that is opened for the configuration can hold nothing, and is not mirrored",
    fix: "add entities to the configuration, or remove it",
    check: { pass in
      (pass.subject.schema?.configurations ?? []).filter(\.entities.isEmpty).map {
        Offence(
          .configuration($0.name), .memberEntities,
          "configuration \($0.name) contains no entities")
      }
    })
}
