import DataModel

extension Rule {
  static let mergeableStorage = Rule(
    "mergeable-storage", .validator, .error, in: [.cloudkit],
    summary: "No attribute that CloudKit mirrors uses mergeable storage.",
    why: "the mirroring does not support it, and refuses to load the store",
    fix: "switch mergeable storage off for the attribute",
    check: attributes(.mirrored) { site in
      site.attribute.options.contains(.mergeableStorage)
        ? (.mergeableStorage, "uses mergeable storage") : nil
    })
}
