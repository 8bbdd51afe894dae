import DataModel

extension Rule {
  static let decimalAsDouble = Rule(
    "decimal-as-double", .pitfall, .note, in: [.cloudkit],
    summary: "No exact decimal number is mirrored.",
    why: "the mirroring sends decimals as DOUBLE fields, which round after about 15 digits",
    fix: "keep the amount as an integer of its smallest unit, such as cents, or as text",
    check: attributes(.mirrored) { site in
      site.attribute.type == .decimal && site.attribute.isStored
        ? (.type, "is decimal, and is mirrored as DOUBLE") : nil
    })
}
