import DataModel

extension Rule {
  /// Core Data's mirroring follows changes and asks no queries of its types.
  static let recordNameNotQueryable = Rule(
    "record-name-not-queryable", .pitfall, .note,
    summary: "Record types can be queried without a condition.",
    why: "queries for all records fail, and so does the console's list of them",
    fix: "add \"___recordID\" REFERENCE QUERYABLE to the type",
    check: writtenTypes { type, _ in
      guard !type.isSystem, !type.name.hasPrefix("CD_"), type.name != "CDMR",
        type.field("___recordID")?.indexes.contains(.queryable) != true
      else { return [] }
      return [
        Offence(.recordType(type.name), nil, "\(type.name) has no QUERYABLE index on ___recordID")
      ]
    })
}
