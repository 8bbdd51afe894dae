import DataModel

extension Rule {
  static let mappedNameCollision = Rule(
    "mapped-name-collision", .pitfall, .error,
    summary: "No two parts become the same record type or field, or one of the mapping's own.",
    why: "the values of one would overwrite the other's in every record",
    fix: "rename one of the parts, so that each gets a name of its own",
    check: mappedNames([.claimedTwice, .reserved]) { collision, part in
      guard let first = collision.claimants.first, first != part else {
        return "\(part) becomes \(name(of: collision.element)), which the mapping needs itself"
      }
      return "\(part) becomes \(name(of: collision.element)), which \(first) becomes too"
    })

  private static func name(of element: SchemaElement) -> String {
    "the \(element.kindName) \(element)"
  }
}
