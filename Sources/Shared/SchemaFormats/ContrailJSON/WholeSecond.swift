package import FoundationEssentials

/// A point in time at a whole second of the years 1 to 9999, in UTC.
///
/// What `2026-05-01T12:00:00Z` says exactly. Days are counted in the Gregorian calendar, also before it was in use.
package struct WholeSecond {
  package let date: Date
  package let text: String

  /// The point in time as text; nil where a second or a year of four digits does not say it exactly.
  package init?(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard let whole = Int64(exactly: seconds), Self.range.contains(whole) else { return nil }
    let day = Int(whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400)
    let time = Int(whole) - day * 86_400
    let (year, month, dayOfMonth) = Self.civil(day)
    self.date = date
    text =
      "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))"
      + "T\(Self.padded(time / 3600, 2)):\(Self.padded(time / 60 % 60, 2))"
      + ":\(Self.padded(time % 60, 2))Z"
  }

  /// The point in time that `text` says; nil when it is anything but `YYYY-MM-DDThh:mm:ssZ`, or no
  /// day of the calendar.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    for (index, separator) in Self.separators where bytes[index] != UInt8(ascii: separator) {
      return nil
    }
    func number(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for byte in bytes[start..<start + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
      let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
      year >= 1, (1...12).contains(month), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Self.days(year, month, day)
    guard Self.civil(days) == (year, month, day) else { return nil }
    date = Date(
      timeIntervalSinceReferenceDate: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    self.text = text
  }

  private static let separators: [(Int, Unicode.Scalar)] = [
    (4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z"),
  ]

  /// From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds since 2001.
  private static let range = Int64(-63_113_904_000)...252_423_993_599

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}

/// Days and dates of the proleptic Gregorian calendar.
///
/// Years run from March, so that the leap day is the last of its year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
extension WholeSecond {
  /// How many days 2001-01-01 comes after 0000-03-01.
  private static let referenceDay = 730_791
  private static let daysPerEra = 146_097

  /// The days from 2001-01-01 to a date of a year from 1 on.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - referenceDay
  }

  /// The date that comes `days` after 2001-01-01, for dates of a year from 1 on.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + referenceDay
    let (era, dayOfEra) = (days / daysPerEra, days % daysPerEra)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      era * 400 + yearOfEra + (month > 2 ? 0 : 1), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}
