import DataModel

extension Rule {
  /// Without a name Core Data unarchives whatever class the bytes ask for; our store has no such
  /// default.
  static let transformerMissing = Rule(
    "transformer-missing", .pitfall, [.cloudkit: .warning, .contrail: .error],
    summary: "Every transformable attribute names its transformer.",
    why: "the default one creates objects of any class that a record from elsewhere names",
    fix: "name NSSecureUnarchiveFromData, or a registered transformer of your own",
    check: attributes { site in
      site.attribute.type == .transformable && site.attribute.transformerName == nil
        ? (.transformerName, "is transformable and names no transformer") : nil
    })
}
