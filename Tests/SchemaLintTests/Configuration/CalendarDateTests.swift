import SchemaLint
import Testing

@Suite struct `A day of the calendar` {
  @Test(arguments: ["2027-03-01", "2028-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
  func `reads as it is written`(_ text: String) {
    #expect(CalendarDate(text)?.description == text)
  }

  @Test(arguments: [
    "2027-02-29", "1900-02-29", "2027-04-31", "2027-13-01", "2027-00-10", "2027-01-00",
    "0000-01-01", "2027-3-1", "27-03-01", "2027/03/01", "2027-03-01 ", "+027-03-01", "２027-03-01",
    "", "tomorrow",
  ])
  func `is refused when no calendar has it or it is written otherwise`(_ text: String) {
    #expect(CalendarDate(text) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01"), (-1, "1969-12-31"), (20_777, "2026-11-20"), (11_016, "2000-02-29"),
    (11_017, "2000-03-01"), (-719_162, "0001-01-01"), (2_932_896, "9999-12-31"),
    (.min, "0001-01-01"), (.max, "9999-12-31"),
  ])
  func `is what a clock shows in whole days since 1970`(days: Int, text: String) {
    #expect(CalendarDate(daysSince1970: days).description == text)
  }

  @Test func `follows the day before, over four centuries`() {
    var last = CalendarDate(daysSince1970: -60_000)
    for day in -59_999...100_000 {
      let next = CalendarDate(daysSince1970: day)
      let isNextDay = next.year == last.year && next.month == last.month && next.day == last.day + 1
      let beginsMonth =
        next.day == 1
        && CalendarDate(year: last.year, month: last.month, day: last.day + 1) == nil
      #expect(last < next && (isNextDay || beginsMonth), "\(last) \(next)")
      #expect(CalendarDate(next.description) == next)
      last = next
    }
  }
}
