/// The header `Date` of a second, in the form of RFC 9110, section 5.6.7.
enum DateLine {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// The last second of the year 9999: the form has four digits for the year.
  private static let secondsMax = 253_402_300_799

  /// The whole line for a number of seconds since 1970.
  static func bytes(seconds: Int) -> [UInt8] {
    let seconds = min(max(0, seconds), secondsMax)
    let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = civil(day)
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
    let text =
      "Date: \(days[day % 7]), \(twoDigits(date.day)) \(months[date.month - 1]) \(date.year) \(time) GMT\r\n"
    return Array(text.utf8)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Year, month and day of a day since 1970, in cycles of 400 years that begin with March.
  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    // 719 468 days lie between the first of March of the year 0 and 1970.
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let isNextYear = month >= 10
    return (
      yearOfEra + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3, dayOfMonth
    )
  }
}
