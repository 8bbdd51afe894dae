import FoundationEssentials
import Testing

@testable import DataModel

@Suite struct FieldValueTests {
  @Test func `a value takes at most 17 bytes, so most values need no allocation`() {
    #expect(MemoryLayout<FieldValue>.size <= 17)
  }

  @Test func `a value that is not a number equals itself, and hashes as itself`() {
    let nan = FieldValue.double(.nan)
    #expect(nan == .double(-.nan))
    #expect(Set([nan, .double(-.nan)]).count == 1)
    // Not as operands: Foundation cannot show such a date.
    let dates = [Double.nan, -.nan].map {
      FieldValue.date(Date(timeIntervalSinceReferenceDate: $0))
    }
    let areEqual = dates[0] == dates[1]
    #expect(areEqual)
    #expect(Set(dates).count == 1)
    #expect(Set([FieldValue.double(0), .double(-0.0)]).count == 1)
  }
}
