import DataModel
import ObjectStore
import SchemaFormats
import SchemaLint
import SyncClient

/// Finds what keeps stores from being mirrored before any of them is opened: it is in the code, so every run
/// finds it, whether there is a server or not.
enum SyncTargetCheck {
  /// Throws `UnsyncableSchema` for models that cannot be mirrored, and `SyncError` for targets that make no
  /// sense.
  static func check(_ plan: ConfigurationPlan, _ configurations: [ModelConfiguration]) throws {
    for (place, configuration) in configurations.enumerated() {
      guard let target = configuration.sync else { continue }
      _ = try target.address()
      let other = configurations[..<place].first { $0.sync?.isSamePlace(as: target) == true }
      if let other {
        throw SyncError(
          .sharedZone, configuration.name,
          "is mirrored to the zone that \(other.name) is mirrored to",
          fix: "give one of the targets a zone of its own: zone: \"\(configuration.name)\"")
      }
      try check(plan.part(of: configuration), target.profile)
    }
  }

  /// Holds a schema to the rules of the lint that no synced schema may break.
  private static func check(
    _ schema: DataModel.Schema, _ profile: MappingProfile
  ) throws(UnsyncableSchema) {
    let linter = Linter(profile: profile == .native ? .contrail : .cloudkit)
    let document = SchemaDocument(file: "models", label: "models", content: .objects(schema))
    let problems = linter.findings(in: document).filter { $0.severity == .error }.map { finding in
      UnsyncableSchema.Problem(
        finding.element, "\(finding.message) [\(finding.rule)]: \(finding.why)",
        fix: fix(of: finding))
    }
    if !problems.isEmpty { throw UnsyncableSchema(profile: profile, problems: problems) }
  }

  /// What to do about a finding in code that has classes.
  private static func fix(of finding: Finding) -> String {
    guard case .uniqueness(let entity, let names) = finding.element else { return finding.fix }
    let paths = names.map { "\\\(entity).\($0)" }.joined(separator: ", ")
    return "take the constraint out, and have duplicates become one: "
      + "static var naturalKey: [AnyKeyPath] { [\(paths)] }"
  }
}
