import DataModel

extension Rule {
  /// Core Data's words for it: "Multiple NSEntityDescriptions claim the NSManagedObject subclass".
  static let classNameShared = Rule(
    "class-name-shared", .pitfall, .warning,
    summary: "Every entity has a class of its own.",
    why: "code that asks the class for its entity gets one of them, or none",
    fix: "give each entity its own class; let them inherit what they share",
    check: { pass in
      var first: [String: String] = [:]
      return (pass.subject.schema?.entities ?? []).compactMap { entity in
        guard let name = entity.className, !generalClasses.contains(name) else { return nil }
        guard let other = first[name] else {
          first[name] = entity.name
          return nil
        }
        return Offence(
          .entity(entity.name), .className,
          "\(entity.name) has the class \(name), as \(other) has")
      }
    })

  /// Classes that know no entity of their own.
  private static let generalClasses: Set<String> = ["NSManagedObject"]
}
