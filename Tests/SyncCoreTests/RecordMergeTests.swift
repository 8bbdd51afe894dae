import DataModel
import RecordWire
import Testing

@testable import SyncCore

@Suite struct RecordMergeTests {
  private static func clock(_ milliseconds: Int64, _ device: UInt64 = 1) -> FieldClock {
    FieldClock(HybridTime(milliseconds: milliseconds), DeviceNumber(rawValue: device))
  }

  private static func state(
    _ fields: RecordFields, clocks: [(String, FieldClock)]? = nil, modified: Int64 = 0
  ) -> RecordState {
    var state = RecordState(fields: fields, modified: HybridTime(milliseconds: modified))
    if let clocks {
      var made = FieldClocks(common: clock(1, 9))
      for (name, clock) in clocks { made.note(clock, of: name) }
      state.clocks = made
    }
    return state
  }

  private let base = state(["tail": .string("N1"), "hours": .int64(10)], clocks: [])

  @Test
  func `a field that only the server changed is taken, and one that only we did stays pending`() {
    let server = Self.state(
      ["tail": .string("N2"), "hours": .int64(10)], clocks: [("tail", Self.clock(5, 2))])
    let edit = LocalEdit("hours", .int64(12), Self.clock(4))
    let merge = RecordMerge(base: base, server: server, edits: [edit])
    #expect(merge.taken == [RecordMerge.Taken(name: "tail", value: .string("N2"))])
    #expect(merge.pending == [edit])
    #expect(merge.settled == [])
  }

  @Test func `a field that the server no longer has is taken as nothing`() {
    let merge = RecordMerge(
      base: base, server: Self.state(["tail": .string("N1")], clocks: []), edits: [])
    #expect(merge.taken == [RecordMerge.Taken(name: "hours", value: .null)])
  }

  @Test func `of two edits of a field the later wins, whichever side it is on`() {
    let server = Self.state(
      ["tail": .string("N1"), "hours": .int64(13)], clocks: [("hours", Self.clock(5, 2))])
    let later = LocalEdit("hours", .int64(12), Self.clock(6))
    let ours = RecordMerge(base: base, server: server, edits: [later])
    #expect(ours.pending == [later])
    #expect(ours.taken == [])
    let earlier = LocalEdit("hours", .int64(12), Self.clock(4))
    let theirs = RecordMerge(base: base, server: server, edits: [earlier])
    #expect(theirs.pending == [])
    #expect(theirs.taken == [RecordMerge.Taken(name: "hours", value: .int64(13))])
    #expect(
      theirs.settled == [
        RecordMerge.Settled(edit: earlier, isOnServer: false, server: .int64(13))
      ])
  }

  @Test func `of two edits of one moment that of the greater device wins`() {
    let server = Self.state(["hours": .int64(13)], clocks: [("hours", Self.clock(5, 2))])
    func pending(_ device: UInt64) -> Bool {
      !RecordMerge(
        base: base, server: server, edits: [LocalEdit("hours", .int64(12), Self.clock(5, device))]
      ).pending.isEmpty
    }
    #expect(!pending(1))
    #expect(pending(3))
  }

  @Test func `whoever writes without clocks is as late as the server's time`() {
    let server = Self.state(
      ["tail": .string("N1"), "hours": .int64(13)], clocks: [], modified: 50)
    let earlier = LocalEdit("hours", .int64(12), Self.clock(40))
    #expect(RecordMerge(base: base, server: server, edits: [earlier]).pending == [])
    let later = LocalEdit("hours", .int64(12), Self.clock(60))
    #expect(RecordMerge(base: base, server: server, edits: [later]).pending == [later])
  }

  @Test func `without clocks in the record the server's time decides`() {
    let base = RecordState(fields: ["hours": .int64(10)])
    let server = RecordState(
      fields: ["hours": .int64(13)], modified: HybridTime(milliseconds: 50))
    let earlier = LocalEdit("hours", .int64(12), Self.clock(40))
    #expect(RecordMerge(base: base, server: server, edits: [earlier]).pending == [])
    let same = LocalEdit("hours", .int64(13), Self.clock(60))
    let merge = RecordMerge(base: base, server: server, edits: [same])
    #expect(merge.pending == [])
    #expect(
      merge.settled == [RecordMerge.Settled(edit: same, isOnServer: true, server: .int64(13))])
  }

  @Test func `an edit whose confirmation was lost is not merged with itself`() {
    let edit = LocalEdit("hours", .int64(12), Self.clock(4)).asSent
    // It arrived, and another device added three hours to it.
    var server = Self.state(
      ["tail": .string("N1"), "hours": .int64(15)], clocks: [("hours", Self.clock(4))])
    server.clocks?.note(Self.clock(5, 2), of: "hours")
    let merge = RecordMerge(base: base, server: server, edits: [edit]) { _ in .counter }
    #expect(merge.pending == [])
    #expect(merge.taken == [RecordMerge.Taken(name: "hours", value: .int64(15))])
    #expect(
      merge.settled == [RecordMerge.Settled(edit: edit, isOnServer: true, server: .int64(15))])
  }

  @Test
  func `an edit that was never sent is not taken for arrived since a later one of the record was`()
  {
    let parked = LocalEdit("remarks", .string("calm"), Self.clock(4))
    let server = Self.state(
      ["tail": .string("N1"), "hours": .int64(12)], clocks: [("hours", Self.clock(5))])
    #expect(RecordMerge(base: base, server: server, edits: [parked]).pending == [parked])
  }

  @Test
  func
    `an edit that was sent in vain is not taken for arrived since a later one of the record was`()
  {
    // What production lacks is sent in vain, and later edits go without it.
    let refused = LocalEdit("remarks", .string("calm"), Self.clock(4)).asSent
    let server = Self.state(
      ["tail": .string("N1"), "hours": .int64(12)],
      clocks: [("remarks", Self.clock(1)), ("hours", Self.clock(5))])
    #expect(RecordMerge(base: base, server: server, edits: [refused]).pending == [refused])
  }

  /// A record that a late copy of a refused request of ours made.
  private func copied(hours: Int64) -> RecordState {
    RecordState(fields: ["hours": .int64(hours)], clocks: FieldClocks(common: Self.clock(4)))
  }

  @Test func `what a late copy of a refused request brought is not counted twice`() {
    let edit = LocalEdit("hours", .int64(9), Self.clock(4))
    let merge = RecordMerge(base: .nothing, server: copied(hours: 9), edits: [edit]) { _ in .counter
    }
    #expect(merge.pending == [])
    #expect(merge.taken == [])
    #expect(
      merge.settled == [RecordMerge.Settled(edit: edit, isOnServer: true, server: .int64(9))])
  }

  @Test func `what was added after the request that came late is sent on top of it`() {
    let edit = LocalEdit("hours", .int64(16), Self.clock(6))
    let merge = RecordMerge(base: .nothing, server: copied(hours: 9), edits: [edit]) { _ in .counter
    }
    #expect(merge.pending == [edit])
    #expect(merge.taken == [])
  }

  /// The record that all know, as a late copy of a refused update of ours left it.
  private func updated(hours: Int64) -> RecordState {
    Self.state(["tail": .string("N1"), "hours": .int64(hours)], clocks: [("hours", Self.clock(4))])
  }

  @Test func `what a late copy of a refused update brought is not counted twice`() {
    let edit = LocalEdit("hours", .int64(13), Self.clock(4))
    let merge = RecordMerge(base: base, server: updated(hours: 13), edits: [edit]) { _ in .counter }
    #expect(
      merge.settled == [RecordMerge.Settled(edit: edit, isOnServer: true, server: .int64(13))])
    #expect(merge.pending == [])
    #expect(merge.taken == [])
  }

  @Test func `what was added after the update that came late is sent on top of it`() {
    let edit = LocalEdit("hours", .int64(16), Self.clock(6))
    let merge = RecordMerge(base: base, server: updated(hours: 13), edits: [edit]) { _ in .counter }
    #expect(merge.pending == [edit])
    #expect(merge.taken == [])
  }

  @Test func `a clock of ours that came with another record's value is no copy of an update`() {
    var server = Self.state(["tail": .string("N1"), "hours": .int64(12)], clocks: [])
    server.clocks?.inherit(Self.clock(4), of: "hours")
    let edit = LocalEdit("hours", .int64(13), Self.clock(4))
    let merge = RecordMerge(base: base, server: server, edits: [edit]) { _ in .counter }
    #expect(merge.pending.map(\.value) == [.int64(15)])
  }

  @Test func `an edit of another record's value that somebody else has sent is not counted twice`()
  {
    var edit = LocalEdit("hours", .int64(15), Self.clock(4, 2))
    edit.isInherited = true
    let server = Self.state(
      ["tail": .string("N1"), "hours": .int64(15)], clocks: [("hours", Self.clock(4, 2))])
    let merge = RecordMerge(base: base, server: server, edits: [edit]) { _ in .counter }
    #expect(
      merge.settled == [RecordMerge.Settled(edit: edit, isOnServer: true, server: .int64(15))])
    #expect(merge.pending == [])
  }

  @Test func `a field that the late copy left out has what others gave it since`() {
    var server = copied(hours: 2)
    server.clocks?.forget("hours")
    let edit = LocalEdit("hours", .int64(5), Self.clock(4))
    let merge = RecordMerge(base: .nothing, server: server, edits: [edit]) { _ in .counter }
    #expect(merge.pending.map(\.value) == [.int64(7)])
  }

  @Test func `a field that came into being after the late copy was sent is not emptied by it`() {
    var server = copied(hours: 9)
    server.fields["hours"] = nil
    let edit = LocalEdit("hours", .int64(5), Self.clock(4))
    let merge = RecordMerge(base: .nothing, server: server, edits: [edit]) { _ in .client }
    #expect(merge.pending.map(\.value) == [.int64(5)])
  }

  @Test func `two devices that made one record both count`() {
    let edit = LocalEdit("hours", .int64(9), Self.clock(4, 2))
    let merge = RecordMerge(base: .nothing, server: copied(hours: 5), edits: [edit]) { _ in .counter
    }
    #expect(merge.pending.map(\.value) == [.int64(14)])
  }

  @Test func `the same value edited later is sent, for its clock`() {
    let server = Self.state(
      ["tail": .string("N1"), "hours": .int64(12)], clocks: [("hours", Self.clock(5, 2))])
    let edit = LocalEdit("hours", .int64(12), Self.clock(7))
    let merge = RecordMerge(base: base, server: server, edits: [edit])
    var restated = edit
    restated.isRestated = true
    #expect(merge.pending == [restated])
    #expect(merge.taken == [])
  }

  @Test func `an edit that has to be told stays one when the field is edited again`() {
    var restated = LocalEdit("hours", .int64(12), Self.clock(7))
    restated.isRestated = true
    let later = LocalEdit("hours", .null, Self.clock(8))
    let change = LocalChange(.update, edits: [restated]).followed(
      by: LocalChange(.update, edits: [later]))
    var told = later
    told.isRestated = true
    #expect(change?.edits == [told])
  }

  @Test func `two spellings of a text, and zero and minus zero, are not the same`() {
    let base = Self.state(["name": .string("e\u{301}"), "depth": .double(0)], clocks: [])
    let server = Self.state(["name": .string("é"), "depth": .double(-0.0)], clocks: [])
    let merge = RecordMerge(base: base, server: server, edits: [])
    #expect(merge.taken.map(\.name) == ["depth", "name"])
  }
}

@Suite struct MergeRuleTests {
  private func merged(
    _ rule: MergeRule, base: RecordValue, local: RecordValue, server: RecordValue
  ) -> RecordValue {
    rule.value(
      for: FieldConflict(
        name: "field", base: base, local: local, server: server,
        localClock: FieldClock(HybridTime(milliseconds: 1), DeviceNumber(rawValue: 1)),
        serverClock: FieldClock(HybridTime(milliseconds: 2), DeviceNumber(rawValue: 2))))
  }

  @Test func `a counter adds what both sides added`() {
    #expect(
      merged(.counter, base: .int64(10), local: .int64(12), server: .int64(13)) == .int64(15))
    #expect(merged(.counter, base: .null, local: .int64(2), server: .int64(3)) == .int64(5))
    #expect(
      merged(.counter, base: .double(1), local: .double(0.5), server: .double(4))
        == .double(3.5))
    #expect(
      merged(.counter, base: .int64(0), local: .int64(.max), server: .int64(5)) == .int64(.max))
  }

  @Test func `a union keeps what either side added and drops what either took out`() {
    #expect(
      merged(.union, base: .string("a\nb"), local: .string("b\nc"), server: .string("a\nb\nd"))
        == .string("b\nd\nc"))
    #expect(
      merged(
        .union, base: .list([.int64(1)], of: .int64),
        local: .list([.int64(1), .int64(2)], of: .int64),
        server: .list([.int64(3)], of: .int64)) == .list([.int64(3), .int64(2)], of: .int64))
  }

  @Test func `minimum and maximum take the lesser and the greater`() {
    let (low, high) = (RecordValue.timestamp(5), RecordValue.timestamp(9))
    #expect(merged(.minimum, base: .null, local: low, server: high) == low)
    #expect(merged(.minimum, base: .null, local: high, server: low) == low)
    #expect(merged(.maximum, base: .null, local: low, server: high) == high)
    #expect(merged(.maximum, base: .null, local: high, server: low) == high)
  }

  @Test func `server, client and the program's own rule decide as they say`() {
    let (ours, theirs) = (RecordValue.string("ours"), RecordValue.string("theirs"))
    #expect(merged(.server, base: .null, local: ours, server: theirs) == theirs)
    #expect(merged(.client, base: .null, local: ours, server: theirs) == ours)
    let rule = MergeRule.custom { _ in .string("both") }
    #expect(merged(rule, base: .null, local: ours, server: theirs) == .string("both"))
  }

  @Test func `a rule that cannot do with the values takes the later edit`() {
    let (ours, theirs) = (RecordValue.string("1"), RecordValue.int64(2))
    for rule in [MergeRule.counter, .union, .minimum, .maximum] {
      #expect(merged(rule, base: .null, local: ours, server: theirs) == theirs)
    }
  }

  @Test func `every rule that a schema may name is found by its name`() {
    #expect(MergeRule.Name.allCases.allSatisfy { MergeRule(named: $0.rawValue) != nil })
    #expect(MergeRule(named: "newest") == nil)
  }
}
