import DataModel

extension Rule {
  static let cardinalityChanged = Rule(
    "cardinality-changed", .additive, .error,
    summary: "A relationship stays to-one, or stays to-many.",
    why: "to-one is a field of the record and to-many is not, so apps look in different places",
    fix: "put the cardinality back, and add another relationship beside this one",
    check: either(
      relationshipPairs { pair, _ in
        guard pair.differs(\.isToMany) else { return nil }
        return (
          .cardinality, "was \(pair.old.cardinalityInWords) and is \(pair.new.cardinalityInWords)"
        )
      },
      recordLevelChanges { change, pair in
        guard change.kind == .removed, case .becameToMany = pair.fate(of: change.element) else {
          return nil
        }
        return "was to-one and is to-many"
      }))
}
