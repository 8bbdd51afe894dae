import DataModel

extension Rule {
  static let typeChanged = Rule(
    "type-changed", .additive, .error,
    summary: "A field keeps the type that it was promoted with.",
    why: "production never changes a field's type, so records with the new one are refused",
    fix: "put the old type back, and add a property of another name for the new values",
    check: typeChanges { $0.isOfRecords && !$1 })
}
