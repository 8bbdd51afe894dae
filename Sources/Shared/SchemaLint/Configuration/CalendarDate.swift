/// A day of the calendar, as waivers name it: `2027-03-01`.
package struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The year, from 1 to 9999.
  package let year: Int
  /// The month, from 1.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

  /// That day; nil when the calendar has no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that a clock shows, as whole days since 1970-01-01 in UTC; days before the year 1 or
  /// after 9999 become the nearest one that can be written.
  package init(daysSince1970: Int) {
    // Counted from 0000-03-01, so that a leap day ends its year: years of 400, 100, 4 and 1.
    let day = min(max(daysSince1970, Self.firstDay), Self.lastDay) + 719_468
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  }

  /// 0001-01-01 and 9999-12-31.
  private static let firstDay = -719_162, lastDay = 2_932_896

  /// The day that `text` spells as `YYYY-MM-DD`; nil when it spells none.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  package var description: String {
    let digits = [(year, 4), (month, 2), (day, 2)].map { number, width in
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    return digits.joined(separator: "-")
  }

  package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    switch month {
    case 2: return isLeapYear ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}
