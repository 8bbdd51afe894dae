import Testing

@testable import SyncCore

@Suite struct HybridClockTests {
  @Test func `a clock follows the device's time while that goes on`() {
    var clock = HybridClock()
    let first = clock.tick(at: 1_000)
    let second = clock.tick(at: 2_000)
    #expect(first == HybridTime(milliseconds: 1_000))
    #expect(second == HybridTime(milliseconds: 2_000))
  }

  @Test func `edits within one millisecond are in order`() {
    var clock = HybridClock()
    let times = (0..<5).map { _ in clock.tick(at: 1_000) }
    #expect(times == times.sorted())
    #expect(Set(times).count == 5)
  }

  @Test func `a clock that is set back gives later moments all the same`() {
    var clock = HybridClock()
    let first = clock.tick(at: 5_000)
    #expect(first < clock.tick(at: 1_000))
  }

  @Test func `an edit that follows one of a device a year ahead is later than that`() {
    let year: Int64 = 365 * 24 * 3_600_000
    var skewed = HybridClock()
    let theirs = skewed.tick(at: 1_700_000_000_000 + year)
    var clock = HybridClock()
    clock.observe(theirs)
    #expect(theirs < clock.tick(at: 1_700_000_000_000))
  }

  @Test func `moments beyond 48 bits, before 1970 and after the last one do not trap`() {
    #expect(HybridTime(milliseconds: .max).milliseconds == (1 << 48) - 1)
    #expect(HybridTime(milliseconds: -1) == .origin)
  }

  @Test func `a clock goes on from no moment that nobody can have had, its own included`() {
    var clock = HybridClock(last: .latest)
    #expect(clock.tick(at: 1_000) == HybridTime(milliseconds: 1_000))
    clock.observe(.latest)
    clock.observe(.lastObserved.next)
    #expect(clock.tick(at: .max) == HybridTime(milliseconds: 1_000).next)
    clock.observe(.lastObserved)
    let last = clock.tick(at: 1_000)
    #expect(last == HybridTime.lastObserved.next)
    #expect(last < .lastBelieved)
  }
}
