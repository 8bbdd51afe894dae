/// The date of a signed request: `2026-11-22T01:30:00Z`, in no other form.
enum RequestDate {
  private static let pattern = Array("dddd-dd-ddTdd:dd:ddZ".utf8)

  /// The time that `text` names, in milliseconds since 1970; nil when it is not of that form.
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == pattern.count, zip(bytes, pattern).allSatisfy(fits) else { return nil }
    func number(_ places: Range<Int>) -> Int64 {
      bytes[places].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), day >= 1, day <= days(in: month, of: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = daysSince1970(year, month, day)
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
  }

  private static func fits(_ byte: UInt8, _ wanted: UInt8) -> Bool {
    if wanted != UInt8(ascii: "d") { return byte == wanted }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from 1970 to a day of the Gregorian calendar.
  ///
  /// Years begin with March here, so that the day that some years lack is the last one; see
  /// https://howardhinnant.github.io/date_algorithms.html#days_from_civil
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Four digits, so not below -1; an era more keeps the division from going below zero.
    let year = (month <= 2 ? year - 1 : year) + 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
  }
}
