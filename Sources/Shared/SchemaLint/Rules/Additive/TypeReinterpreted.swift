import DataModel

extension Rule {
  /// Such as string to UUID, or a 64-bit integer to a 16-bit one: the record service takes both.
  static let typeReinterpreted = Rule(
    "type-reinterpreted", .additive, .warning,
    summary: "An attribute keeps its type even where the field of its records stays the same.",
    why:
      "the record service accepts both, but one app cannot read every value that the other wrote",
    fix: "put the old type back, or make sure that each type can hold what the other writes",
    check: typeChanges { !$0.isOfRecords && !$1 })
}
