import DataModel

extension Rule {
  static let destinationInOtherConfiguration = Rule(
    "destination-in-other-configuration", .validator, .error,
    summary: "Related entities are in the same configuration.",
    why: "each configuration has a store of its own, and no relationship leads out of a store",
    fix: "add the destination to the configuration, or keep its identifier in an attribute",
    check: relationships { site in
      let destination = site.relationship.destination
      guard site.schema.entity(destination) != nil else { return nil }
      let holders = [site.entity.name] + site.schema.descendants(of: site.entity.name).map(\.name)
      let left = site.schema.judgedConfigurations.filter { configuration in
        holders.contains { configuration.entities.contains($0) }
          && !configuration.entities.contains(destination)
      }
      guard !left.isEmpty else { return nil }
      let names = left.map(\.name).joined(separator: ", ")
      return (.destination, "leads to \(destination), which is not in the configuration \(names)")
    })
}

extension Schema {
  /// The mirrored configurations; all where nothing is marked as mirrored.
  fileprivate var judgedConfigurations: [Configuration] {
    let mirrored = configurations.filter(\.isUsedWithCloudKit)
    return isUsedWithCloudKit || !mirrored.isEmpty ? mirrored : configurations
  }
}
