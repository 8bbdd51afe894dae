import DataModel

extension Rule {
  /// With Core Data's mirroring the type is `CD_Users`, which is free.
  static let reservedTypeName = Rule(
    "reserved-type-name", .pitfall, .error, in: [.contrail],
    summary: "No entity becomes the record type in which the server keeps its users.",
    why: "every container already has the type Users, with fields and rights of its own",
    fix: "rename the entity, such as Account",
    check: entity { site in
      site.entity.name == "Users" ? (nil, "has the name of the server's own record type") : nil
    })
}
