import DataModel

extension Rule {
  static let referenceLimit = Rule(
    "reference-limit", .pitfall, .note,
    summary: "No relationship is meant to hold more than 750 objects.",
    why: "CloudKit takes at most 750 references with DELETE_SELF to one record",
    fix: "lower the maximum count, or group the objects under records in between",
    check: relationships { site in
      guard site.relationship.isToMany, site.relationship.maximumCount > referencesMax else {
        return nil
      }
      return (
        .maximumCount,
        "may hold \(site.relationship.maximumCount) objects, and \(referencesMax) can refer to one"
      )
    })

  private static let referencesMax = 750
}
