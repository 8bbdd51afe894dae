import Testing

@testable import SyncCore

@Suite struct FieldClocksTests {
  private func clock(_ milliseconds: Int64, _ device: UInt64) -> FieldClock {
    FieldClock(HybridTime(milliseconds: milliseconds), DeviceNumber(rawValue: device))
  }

  @Test func `fields without a clock of their own have the common one`() {
    var clocks = FieldClocks(common: clock(1, 7))
    clocks.note(clock(2, 8), of: "hours")
    #expect(clocks["tail"] == clock(1, 7))
    #expect(clocks["hours"] == clock(2, 8))
    #expect(clocks.latest == clock(2, 8))
  }

  @Test func `the order of edits makes no difference to the bytes`() {
    var one = FieldClocks(common: clock(1, 7))
    one.note(clock(2, 8), of: "hours")
    one.note(clock(3, 9), of: "tail")
    var other = FieldClocks(common: clock(1, 7))
    other.note(clock(3, 9), of: "tail")
    other.note(clock(2, 8), of: "hours")
    #expect(one.bytes == other.bytes)
  }

  @Test func `a clock that a value inherits says nothing of which edits the record has`() {
    var clocks = FieldClocks(common: clock(1, 7))
    clocks.inherit(clock(5, 9), of: "hours")
    clocks.inherit(clock(4, 7), of: "tail")
    #expect(clocks["hours"] == clock(5, 9))
    #expect(!clocks.has(clock(2, 9)))
    #expect(!clocks.has(clock(2, 7)))
    #expect(clocks.has(clock(1, 7)))
    #expect(clocks.latest == clock(5, 9))
    #expect(FieldClocks(bytes: clocks.bytes) == clocks)
  }

  @Test func `a state is behind another where any field is, whatever else it has seen`() {
    var earlier = FieldClocks(common: clock(1, 7))
    var later = earlier
    later.note(clock(2, 8), of: "tail")
    later.note(clock(3, 8), of: "hours")
    earlier.note(clock(3, 8), of: "hours")
    #expect(earlier.hasAll(of: later))
    #expect(earlier.isBehind(later))
    #expect(!later.isBehind(earlier))
    #expect(!later.isBehind(later))
    earlier.note(clock(4, 9), of: "tail")
    #expect(!earlier.isBehind(later))
  }

  @Test func `a clock that was set back, or is of no device, is of an earlier value`() {
    var clocks = FieldClocks(common: clock(1, 7))
    clocks.note(clock(5, 8), of: "tail")
    #expect(!clocks.isOfEarlierValue("tail"))
    clocks.setBack("tail")
    #expect(clocks.isOfEarlierValue("tail"))
    clocks.inherit(FieldClock(clock(5, 8).time.next, .unknown), of: "hours")
    #expect(clocks.isOfEarlierValue("hours"))
    #expect(!clocks.isOfEarlierValue("mood"))
  }

  @Test func `clocks come back from their bytes`() {
    var clocks = FieldClocks(common: clock(1, 7))
    clocks.note(clock(1 << 40, .max), of: "hours")
    clocks.note(clock(3, 7), of: "Größe")
    #expect(FieldClocks(bytes: clocks.bytes) == clocks)
    #expect(FieldClocks(bytes: FieldClocks().bytes) == FieldClocks())
  }

  @Test func `the bytes of a record made in one go are few`() {
    // A version, one device with its latest edit, and one clock.
    #expect(FieldClocks(common: clock(1_700_000_000_000, 7)).bytes.count == 29)
  }

  @Test func `clocks tell which edits have arrived`() {
    var clocks = FieldClocks(common: clock(5, 7))
    clocks.note(clock(9, 8), of: "hours")
    #expect(clocks.has(clock(5, 7)))
    #expect(clocks.has(clock(4, 7)))
    #expect(!clocks.has(clock(6, 7)))
    #expect(clocks.has(clock(9, 8)))
    #expect(!clocks.has(clock(1, 9)))
  }

  @Test func `devices that edited long ago are forgotten, but not those whose edits stand`() {
    var clocks = FieldClocks(common: clock(1, 1))
    for device in 2...UInt64(FieldClocks.devicesMax) + 10 {
      clocks.note(clock(Int64(device), device), of: "hours")
    }
    #expect(clocks.seen.count == FieldClocks.devicesMax)
    #expect(clocks.has(clock(1, 1)))
    #expect(!clocks.has(clock(2, 2)))
    #expect(FieldClocks(bytes: clocks.bytes) == clocks)
  }

  @Test func `no cut and no flipped byte of the bytes traps, and none reads as names out of order`()
  {
    var clocks = FieldClocks(common: clock(1, 7))
    clocks.note(clock(2, 8), of: "hours")
    clocks.note(clock(3, 9), of: "tail")
    let bytes = clocks.bytes
    for end in bytes.indices { #expect(FieldClocks(bytes: Array(bytes[..<end])) == nil) }
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        guard let read = FieldClocks(bytes: damaged) else { continue }
        #expect(read.own.map(\.name) == read.own.map(\.name).sorted())
      }
    }
    #expect(FieldClocks(bytes: bytes + [0]) == nil)
    #expect(FieldClocks(bytes: [2, 0, 0, 0]) == nil)
    #expect(FieldClocks(bytes: [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == nil)
  }

  @Test func `a state that lacks an edit that another one has is an earlier one`() {
    let (first, later) = (
      FieldClock(HybridTime(milliseconds: 1), DeviceNumber(rawValue: 1)),
      FieldClock(HybridTime(milliseconds: 2), DeviceNumber(rawValue: 2))
    )
    let earlier = FieldClocks(common: first)
    var state = earlier
    state.note(later, of: "remarks")
    #expect(state.hasAll(of: earlier))
    #expect(!earlier.hasAll(of: state))
  }

  @Test func `a value that is forgotten is older than any that somebody has`() {
    let (first, later) = (
      FieldClock(HybridTime(milliseconds: 1), DeviceNumber(rawValue: 1)),
      FieldClock(HybridTime(milliseconds: 2), DeviceNumber(rawValue: 2))
    )
    var clocks = FieldClocks(common: first)
    clocks.note(later, of: "remarks")
    clocks.forget("remarks")
    clocks.forget("tail")
    for field in ["remarks", "tail"] {
      #expect(clocks[field].map { $0 < first } == true)
    }
    #expect(clocks["hours"] == first)
    #expect(FieldClocks(bytes: clocks.bytes) == clocks)
    // The record had the edit.
    #expect(clocks.has(later))
  }

  @Test func `moments that nobody can have had are no clocks, and others go on`() {
    var clocks = FieldClocks()
    clocks.note(clock(1, 1), of: "hours")
    clocks.note(FieldClock(.lastBelieved, DeviceNumber(rawValue: 2)), of: "tail")
    #expect(FieldClocks(bytes: clocks.bytes) == clocks)
    clocks.note(FieldClock(HybridTime.lastBelieved.next, DeviceNumber(rawValue: 2)), of: "tail")
    #expect(FieldClocks(bytes: clocks.bytes) == nil)
    clocks.note(FieldClock(.latest, DeviceNumber(rawValue: 3)), of: "tail")
    #expect(FieldClocks(bytes: clocks.bytes) == nil)
  }
}
