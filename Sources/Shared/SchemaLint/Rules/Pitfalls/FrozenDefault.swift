import DataModel
import FoundationEssentials

extension Rule {
  /// Dates that mean "none yet" are allowed: the ends of time, and the start of any year, give or
  /// take a time zone, since the editor takes local time.
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
      || abs(timeIntervalSince(startOfNearestYear)) <= Self.timeZoneSecondsMax
  }

  private static let timeZoneSecondsMax: TimeInterval = 14 * 3600
  private static let meanYearSeconds: TimeInterval = 365.2425 * 86_400

  /// The nearest 1 January, 0:00 in UTC, of the Gregorian calendar.
  private var startOfNearestYear: Date {
    let years = (timeIntervalSinceReferenceDate / Self.meanYearSeconds).rounded()
    let complete = 2000 + years
    let leapDays =
      (complete / 4).rounded(.down) - (complete / 100).rounded(.down)
      + (complete / 400).rounded(.down)
    let leapDaysBefore2001 = 485.0
    let days = 365 * years + leapDays - leapDaysBefore2001
    return Date(timeIntervalSinceReferenceDate: days * 86_400)
  }
}
