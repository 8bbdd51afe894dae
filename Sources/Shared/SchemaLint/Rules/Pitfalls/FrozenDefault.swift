import DataModel
import FoundationEssentials

extension Rule {
  /// Dates that mean "none yet" are allowed: the ends of time, the starts of the usual epochs, and
  /// the starts of 1900 and 2000, give or take a time zone, since the editor takes local time.
  static let frozenDefault = Rule(
    "frozen-default", .pitfall, .warning,
    summary: "No default value is an identifier or a moment.",
    why: "the value was made once, with the model, and every new object gets the same",
    fix: "make the attribute optional without a default, and set it in code for each new object",
    check: attributes { site in
      switch site.attribute.defaultValue {
      case .uuid(let value) where !value.isNil:
        (.defaultValue, "has the same UUID in every new object")
      case .string(let text) where UUID(uuidString: text)?.isNil == false:
        (.defaultValue, "has the same UUID in every new object")
      case .date(let date) where !date.isSentinel:
        (.defaultValue, "has the same date in every new object, \(FieldValue.date(date).shown)")
      default: nil
      }
    })
}

extension UUID {
  fileprivate var isNil: Bool { withUnsafeBytes(of: uuid) { $0.allSatisfy { $0 == 0 } } }
}

extension Date {
  fileprivate var isSentinel: Bool {
    self <= .distantPast || self >= .distantFuture
      || Self.sentinels.contains { abs(timeIntervalSince($0)) <= Self.timeZoneSecondsMax }
  }

  private static let timeZoneSecondsMax: TimeInterval = 14 * 3600

  /// The starts of 1900, 1970, 2000 and 2001, in UTC.
  private static let sentinels = [-3_187_296_000, -978_307_200, -31_622_400, 0]
    .map { Date(timeIntervalSinceReferenceDate: $0) }
}
