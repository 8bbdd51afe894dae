import RecordWire
import SchemaGenerator
import Testing

@testable import RecordServer

@Suite struct FeedTests {
  @Test(arguments: TestedStorage.allCases)
  func `a first pull skips tombstones, and later tells those that came meanwhile`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    try await world.write(["a", "b", "c"].map { Samples.write($0) })
    try await world.write([Samples.write("b", isDeleted: true)])
    let first = try await world.page(nil, limit: 1)
    #expect(first.elements.map(\.name) == ["a"] && first.isMoreComing)
    try await world.write([Samples.write("a", isDeleted: true), Samples.write("d")])
    let second = try await world.page(first.token, limit: 1)
    #expect(second.elements.map(\.name) == ["c"] && second.isMoreComing)
    let third = try await world.page(second.token, limit: 10)
    #expect(third.elements.map(\.name) == ["a", "d"] && !third.isMoreComing)
    #expect(third.elements.map(\.isDeleted) == [true, false])
    let again = try await world.page(third.token, limit: 10)
    #expect(again.elements == [] && !again.isMoreComing && again.token == third.token)
  }

  @Test(arguments: TestedStorage.allCases, [ChangeOrder.oldestFirst, .newestFirst])
  func `a first pull tells tombstones to who asks for them`(
    kind: TestedStorage, order: ChangeOrder
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    try await world.write(["a", "b", "c"].map { Samples.write($0) })
    try await world.write([Samples.write("b", isDeleted: true)])
    let feed = ZoneFeed(
      Samples.notes, limit: PageLimit(records: 2), order: order, firstPullHasTombstones: true)
    var told: [String] = []
    var token: SyncToken?
    while true {
      let page = try await world.storage.read { [token] in try feed.page(after: token, in: $0) }
      told += page.elements.map { $0.name + ($0.isDeleted ? " gone" : "") }
      token = page.token
      if !page.isMoreComing { break }
    }
    let expected = ["a", "c", "b gone"]
    #expect(told == (order == .oldestFirst ? expected : expected.reversed()))
  }

  @Test(arguments: TestedStorage.allCases)
  func
    `after a backup was put back tokens of before have expired, and those of after are of its history`(
      kind: TestedStorage
    ) async throws
  {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    try await world.write(["a", "b"].map { Samples.write($0) })
    let before = try await world.page(nil, limit: 10).token
    let storageBefore = try await world.storage.read { try $0.epoch() }
    let salts: [UInt64] = [1, HistoryEpoch.restoredBits, 5 << 24 | 7]
    for salt in salts { try await world.storage.write { try $0.renewEpochs(salt: salt) } }
    await #expect(throws: RequestFailure.self) { try await world.page(before, limit: 10) }
    let after = try await world.page(nil, limit: 10).token
    let storageAfter = try await world.storage.read { try $0.epoch() }
    #expect(after.epoch == before.epoch ^ 1 ^ HistoryEpoch.restoredBits ^ 7)
    #expect(storageAfter == storageBefore ^ 1 ^ HistoryEpoch.restoredBits ^ 7)
    #expect(HistoryEpoch.areRelated(before.epoch, after.epoch))
    #expect(!HistoryEpoch.areRelated(before.epoch, before.epoch &+ 1 << 24))
  }

  @Test(arguments: TestedStorage.allCases)
  func `a change tag is given once, also after a backup was put back or a zone made anew`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    var tags: [ChangeTag] = []
    func write() async throws {
      try await world.write([Samples.write("a")])
      tags += try await world.page(nil, limit: 10).elements.map(\.changeTag)
    }
    try await world.makeZone()
    try await write()
    for salt in [1, 2, 3] as [UInt64] {
      try await world.storage.write { try $0.renewEpochs(salt: salt) }
      try await write()
    }
    try await world.storage.write { try $0.deleteZone(Samples.notes, at: 1) }
    try await world.makeZone()
    try await write()
    #expect(Set(tags).count == tags.count)
    #expect(tags.count == 5)
    #expect(try await world.page(nil, limit: 10).elements.map(\.name) == ["a"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `a page ends between commits where the limit allows`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    for commit in [["a", "b"], ["c", "d", "e"], ["f"], ["g", "h", "i", "j", "k"]] {
      try await world.write(commit.map { Samples.write($0) })
    }
    var token: SyncToken? = SyncToken(feed: .zone, epoch: 1, sequence: 0)
    var pages: [String] = []
    while true {
      let found = try await world.page(token, limit: 4)
      pages.append(found.elements.map(\.name).joined())
      token = found.token
      if !found.isMoreComing { break }
    }
    #expect(pages == ["ab", "cdef", "ghij", "k"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `tokens of another history are refused, each with its error`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    try await world.write(["a", "b", "c", "d"].map { Samples.write($0) })
    try await world.write([
      Samples.write("b", isDeleted: true), Samples.write("c", isDeleted: true),
    ])
    func refusal(_ token: SyncToken) async -> String {
      do {
        _ = try await world.page(token, limit: 5)
        return "none"
      } catch {
        return (error as? RequestFailure)?.code.rawValue ?? "\(error)"
      }
    }
    func token(_ sequence: UInt64, epoch: UInt64 = 1, began: UInt64? = nil) -> SyncToken {
      SyncToken(
        feed: .zone, epoch: epoch, sequence: sequence,
        firstPull: began.map { SyncToken.FirstPull(beganAt: $0, position: []) })
    }
    #expect(await refusal(token(3)) == "none")
    #expect(await refusal(token(3, epoch: 2)) == "CHANGE_TOKEN_EXPIRED")
    #expect(await refusal(token(7)) == "CHANGE_TOKEN_EXPIRED")
    #expect(await refusal(token(0, began: 7)) == "CHANGE_TOKEN_EXPIRED")
    #expect(
      await refusal(SyncToken(feed: .database, epoch: 1, sequence: 0)) == "BAD_REQUEST")
    var odd = token(0, began: 4)
    odd.firstPull?.position = [1, 2, 3]
    #expect(await refusal(odd) == "BAD_REQUEST")
    try await world.storage.write { try $0.dropTombstones(of: Samples.notes, upTo: 5) }
    #expect(await refusal(token(5)) == "none")
    #expect(await refusal(token(4)) == "CHANGE_TOKEN_EXPIRED")
    #expect(await refusal(token(0, began: 4)) == "CHANGE_TOKEN_EXPIRED")
    let rest = try await world.page(token(5), limit: 5)
    #expect(rest.elements.map(\.name) == ["c"])
    try await world.storage.write { try $0.deleteZone(Samples.notes) }
    #expect(await refusal(token(5)) == "ZONE_NOT_FOUND")
    try await world.makeZone(epoch: 2)
    #expect(await refusal(token(0)) == "CHANGE_TOKEN_EXPIRED")
  }

  @Test(arguments: TestedStorage.allCases, UInt64(1)...20)
  func `whoever reads pages while others write ends with what is there`(
    kind: TestedStorage, seed: UInt64
  ) async throws {
    let world = try StorageWorld(kind)
    var random = SeededGenerator(seed: seed)
    try await world.makeZone()
    var clients = [FollowingClient(), FollowingClient(), FollowingClient()]
    var live: [String: FieldBytes] = [:]
    for step in 0..<120 {
      if random.next() % 3 == 0 {
        var names: Set<String> = []
        var commit: [RecordWrite] = []
        for _ in 0...Int(random.next() % 5) {
          let name = "r\(random.next() % 25)"
          guard names.insert(name).inserted else { continue }
          let isDeleted = live[name] != nil && random.next() % 3 == 0
          let record = Samples.write(name, "\(step)", isDeleted: isDeleted)
          live[name] = isDeleted ? nil : record.row.fields
          commit.append(record)
        }
        try await world.write(commit)
      } else {
        let index = Int(random.next() % 3)
        let limit = Int(random.next() % 6) + 1
        clients[index].take(try await world.page(clients[index].token, limit: limit))
      }
    }
    for index in clients.indices {
      while true {
        let last = try await world.page(clients[index].token, limit: 3)
        clients[index].take(last)
        if !last.isMoreComing { break }
      }
      #expect(clients[index].records == live, "seed \(seed)")
      #expect(clients[index].problems == [], "seed \(seed)")
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `a database tells which zones changed, and of deleted ones those that were seen`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    func zones(_ token: SyncToken?, limit: Int) async throws -> FeedPage<ZoneRow> {
      try await world.storage.read {
        try DatabaseFeed(Samples.ann, limit: limit).page(after: token, in: $0)
      }
    }
    @Sendable func key(_ name: String) -> ZoneKey { ZoneKey(Samples.ann, name) }
    try await world.storage.write { transaction in
      for (index, name) in ["A", "B", "C", "D"].enumerated() {
        _ = try transaction.createZone(key(name), epoch: UInt64(index))
      }
      try transaction.deleteZone(key("B"))
    }
    let first = try await zones(nil, limit: 2)
    #expect(first.elements.map(\.key.name) == ["A", "C"] && first.isMoreComing)
    try await world.storage.write { transaction in
      try transaction.deleteZone(key("A"))
      _ = try transaction.write([Samples.write("x")], in: key("C"))
    }
    let second = try await zones(first.token, limit: 9)
    #expect(second.elements.map(\.key.name) == ["D", "A", "C"] && !second.isMoreComing)
    #expect(second.elements.map(\.isDeleted) == [false, true, false])
    let third = try await zones(second.token, limit: 9)
    #expect(third.elements == [] && third.token == second.token)
    await #expect(throws: RequestFailure.self) {
      _ = try await zones(SyncToken(feed: .database, epoch: 8, sequence: 0), limit: 9)
    }
    await #expect(throws: RequestFailure.self) {
      _ = try await zones(SyncToken(feed: .database, epoch: 7, sequence: 99), limit: 9)
    }
  }
}
