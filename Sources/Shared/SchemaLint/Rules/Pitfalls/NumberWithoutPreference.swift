import DataModel

extension Rule {
  static let numberWithoutPreference = Rule(
    "number-without-preference", .pitfall, .warning,
    summary: "Every number field says whether it holds integers.",
    why: "the first value that is saved decides, and in production the choice is final",
    fix: "say INT64 or DOUBLE, or NUMBER PREFERRED AS one of them for a field that exists",
    check: writtenFields { field in
      field.type == .number && field.preferredNumber == nil
        ? (.type, "is NUMBER without PREFERRED AS") : nil
    })
}
