import SyncCore
import Testing

@testable import simulate

@Suite struct WorldTests {
  @Test
  func `events come in the order of their times, and of their numbers where times are the same`() {
    var queue = EventQueue()
    for (device, time) in [(0, 30), (1, 10), (2, 20), (3, 10)] as [(Int, Int64)] {
      queue.add(.work(device: device), at: time)
    }
    var devices: [Int] = []
    while let (_, event) = queue.next() {
      if case .work(let device) = event { devices.append(device) }
    }
    #expect(devices == [1, 3, 2, 0])
    #expect(queue.isEmpty)
  }

  @Test func `a value that was written over knowingly is not among the newest`() {
    let place = Ledger.Place(uid: "a", field: "name")
    var ledger = Ledger()
    ledger.add([
      .edit(place, .init(value: "0-1", device: 0, replaced: nil)),
      .edit(place, .init(value: "0-2", device: 0, replaced: "0-1")),
      .edit(place, .init(value: "1-1", device: 1, replaced: "0-1")),
    ])
    #expect(ledger.newest(place) == ["0-2", "1-1"])
  }

  @Test func `leaving a feature out changes nothing else of a world`() {
    let all = WorldOptions(seed: 11)
    let rest = WorldOptions(seed: 11, without: [.kills])
    #expect(rest.features == all.features.subtracting([.kills]))
    #expect(rest.devices.count == all.devices.count)
    #expect(rest.transactions == all.transactions)
    #expect(rest.faults.kill == 0)
  }
}
