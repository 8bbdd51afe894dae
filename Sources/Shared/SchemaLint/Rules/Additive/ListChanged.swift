import DataModel

extension Rule {
  static let listChanged = Rule(
    "list-changed", .additive, .error,
    summary: "A list stays a list, and a single value stays a single value.",
    why: "production never changes a field's type, and a list is a type of its own",
    fix: "put the field back as it was, and add another field for the new values",
    check: recordLevelChanges { change, _ in
      guard case .changed(.isList, _, .flag(let isList)) = change.kind else { return nil }
      return isList ? "was a single value and is a list" : "was a list and is a single value"
    })
}
