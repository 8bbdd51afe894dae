import DataModel

extension Rule {
  static let versionFieldRemoved = Rule(
    "version-field-removed", .additive, .error, sharpens: ["version-field-invalid"],
    summary: "An entity keeps its version field.",
    why: "apps of the promoted version tell by it which objects are too new for them",
    fix: "name the old version field again, and go on writing it",
    check: entityChanges(.versionField) { entity, _ in
      guard case .text(let before) = entity.before else { return nil }
      guard case .text(let after) = entity.after else {
        return "had the version field \(before) and has none"
      }
      return "had the version field \(before) and has \(after)"
    })
}
