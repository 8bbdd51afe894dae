import DataModel
import RecordWire

@testable import SyncCore

/// One record, three devices and a server, as small as they can be while merging is the real thing.
struct SmallWorld {
  /// A step of one device.
  enum Step: Hashable, CaseIterable {
    case setName
    case addHours
    case delete
    case sync
    /// What is sent arrives, and its confirmation does not.
    case syncLosingReply
  }

  struct Server {
    var state: RecordState? = nil
    var tag = 0
    var isDeleted = false
  }

  struct Device {
    var number: UInt64
    var clock = HybridClock()
    var base: RecordState?
    var tag = 0
    var fields: RecordFields?
    var change: LocalChange?
    var lost: [LocalEdit] = []
  }

  static let rules: [String: MergeRule] = ["hours": .counter]

  var server = Server()
  var devices: [Device]
  /// The device's own clocks are this far apart, in milliseconds.
  var skews: [Int64]
  private var now: Int64 = 1_000
  /// How much all devices added to the hours.
  private(set) var added: Int64 = 0

  /// All devices have the record as the first one made it.
  init(devices count: Int, skews: [Int64] = [0, 0, 0]) {
    let created = FieldClock(HybridTime(milliseconds: 1), DeviceNumber(rawValue: 1))
    let start = RecordState(
      fields: ["name": .string(""), "hours": .int64(0)], clocks: FieldClocks(common: created))
    server = Server(state: start, tag: 1)
    devices = (1...UInt64(count)).map { number in
      Device(
        number: number, clock: HybridClock(last: created.time), base: start, tag: 1,
        fields: start.fields)
    }
    self.skews = skews
  }

  mutating func take(_ step: Step, on index: Int) {
    now += 10
    switch step {
    case .setName: edit(index, "name", .string("\(index)@\(now)"))
    case .addHours:
      guard case .int64(let hours)? = devices[index].fields?["hours"]?.value else { return }
      added += Int64(index) + 1
      edit(index, "hours", .int64(hours + Int64(index) + 1))
    case .delete:
      guard devices[index].fields != nil else { return }
      devices[index].fields = nil
      note(index, LocalChange(.delete))
    case .sync:
      pull(index)
      push(index, losesReply: false)
    case .syncLosingReply:
      pull(index)
      push(index, losesReply: true)
    }
  }

  private mutating func edit(_ index: Int, _ name: String, _ value: RecordValue) {
    guard devices[index].fields != nil else { return }
    devices[index].fields?[name] = RecordField(value)
    let time = devices[index].clock.tick(at: now + skews[index])
    let clock = FieldClock(time, DeviceNumber(rawValue: devices[index].number))
    note(index, LocalChange(.update, edits: [LocalEdit(name, value, clock)]))
  }

  private mutating func note(_ index: Int, _ change: LocalChange) {
    devices[index].change = devices[index].change.map { $0.followed(by: change) } ?? change
  }

  private mutating func pull(_ index: Int) {
    guard devices[index].tag < server.tag else { return }
    let news = server.state.map { ServerNews.state($0) } ?? .deleted
    let reception = Reception(
      base: devices[index].base, change: devices[index].change, news: news
    ) { Self.rules[$0] ?? .lastEdit }
    switch reception.object {
    case .keep, .insert: break
    case .take(let taken):
      for field in taken {
        devices[index].fields?[field.name] = field.value == .null ? nil : RecordField(field.value)
      }
    case .delete: devices[index].fields = nil
    }
    devices[index].lost += reception.lost
    devices[index].change = reception.change
    for edit in reception.change?.edits ?? [] { devices[index].clock.observe(edit.clock.time) }
    if let seen = server.state?.clocks?.latest { devices[index].clock.observe(seen.time) }
    devices[index].base = server.state
    devices[index].tag = server.tag
  }

  private mutating func push(_ index: Int, losesReply: Bool) {
    guard let change = devices[index].change else { return }
    if change.kind == .delete {
      server.state = nil
    } else {
      guard var state = server.state else { return }
      for edit in change.edits {
        state.fields[edit.name] = RecordField(edit.value)
        state.clocks?.note(edit.clock, of: edit.name)
      }
      server.state = state
    }
    server.tag += 1
    if losesReply {
      devices[index].change?.mayHaveArrived = true
      devices[index].change?.edits = change.edits.map(\.asSent)
      return
    }
    devices[index].change = nil
    devices[index].base = server.state
    devices[index].tag = server.tag
  }

  /// Syncs until nobody has anything to send; returns how many rounds it took.
  mutating func settle() -> Int {
    for round in 1...6 {
      for index in devices.indices { take(.sync, on: index) }
      if devices.allSatisfy({ $0.change == nil && $0.tag == server.tag }) { return round }
    }
    return .max
  }
}

extension LocalEdit {
  /// The edit as one that may have arrived.
  var asSent: LocalEdit {
    var edit = self
    edit.sent.append(SentEdit(value: value, clock: clock))
    return edit
  }
}
