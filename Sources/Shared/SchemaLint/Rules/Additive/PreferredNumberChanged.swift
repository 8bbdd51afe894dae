import DataModel

extension Rule {
  static let preferredNumberChanged = Rule(
    "preferred-number-changed", .additive, .error,
    summary: "A number field keeps the kind that it once settled on.",
    why: "the kind that a number prefers must not change once it is given",
    fix: "put the preferred kind back",
    check: recordLevelChanges { change, pair in
      guard case .field(let type, let name) = change.element,
        case .changed(.preferredNumber, .text(let before), let after) = change.kind,
        pair.new.records.type(type)?.field(name)?.type == .number
      else { return nil }
      return "preferred \(before) and prefers \(after)"
    })
}
