import DataModel

extension Rule {
  static let destinationChanged = Rule(
    "destination-changed", .additive, .error,
    summary: "A relationship keeps its destination.",
    why: "the field names a record of the old kind, which an app that expects another cannot show",
    fix: "put the old destination back, and add another relationship for the new one",
    check: relationshipPairs { pair, versions in
      // Of a destination that had objects and is gone `type-removed` speaks.
      guard versions.newName(ofEntity: pair.old.destination) != pair.new.destination,
        !versions.isRemoved(entity: pair.old.destination)
      else { return nil }
      return (
        .destination,
        "had the destination \(pair.old.destination) and has \(pair.new.destination)"
      )
    })
}
