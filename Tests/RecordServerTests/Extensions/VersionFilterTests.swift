import RecordWire
import SchemaGenerator
import Testing

@testable import RecordServer

/// Feeds without the records that are made for later versions of a program.
@Suite struct VersionFilterTests {
  static let fields = ["Note": "version"]

  private static func note(_ name: String, _ version: Int64?, _ text: String = "") -> RecordWrite {
    let version = version.map { #","version":{"value":\#($0),"type":"INT64"}"# } ?? ""
    var row = Samples.row(name)
    let json = #"{"text":{"value":"\#(text)","type":"STRING"}\#(version)}"#
    row.fields = FieldBytes(checked: Array(json.utf8))
    return RecordWrite(row)
  }

  /// A client that wants records up to a version.
  private struct Client {
    var max: Int64
    var records: [String: FieldBytes] = [:]
    var token: SyncToken?
    var isBetweenPasses = true

    mutating func take(_ page: FeedPage<SeenRow>) {
      for seen in page.elements {
        let isGone = seen.row.isDeleted || seen.hasLeft
        records[seen.row.name] = isGone ? nil : seen.row.fields
      }
      token = page.token
      isBetweenPasses = !page.isMoreComing
    }
  }

  private func page(
    _ world: StorageWorld, _ token: SyncToken?, _ max: Int64?, limit: Int,
    _ order: ChangeOrder = .oldestFirst
  ) async throws -> FeedPage<SeenRow> {
    try await world.storage.read { transaction in
      let feed = ZoneFeed(Samples.notes, limit: PageLimit(records: limit), order: order)
      let filter = max.map { VersionFilter(fields: Self.fields, max: $0) }
      return try VersionedFeed(feed: feed, filter: filter).page(after: token, in: transaction)
    }
  }

  @Test(arguments: TestedStorage.allCases, UInt64(1)...20)
  func `whoever reads by a filter and raises it ends with what the filter wants`(
    kind: TestedStorage, seed: UInt64
  ) async throws {
    let world = try StorageWorld(kind)
    var random = SeededGenerator(seed: seed)
    try await world.makeZone()
    var clients = (0..<3).map { _ in Client(max: Int64(random.next() % 3)) }
    var live: [String: (version: Int64?, fields: FieldBytes)] = [:]
    for step in 0..<200 {
      if random.next() % 3 == 0 {
        let names = Set((0...Int(random.next() % 4)).map { _ in "r\(random.next() % 25)" })
        let commit = names.sorted().map { name -> RecordWrite in
          if live[name] != nil && random.next() % 4 == 0 {
            live[name] = nil
            return Samples.write(name, isDeleted: true)
          }
          let version = random.next() % 6 == 0 ? nil : Int64(random.next() % 7)
          let write = Self.note(name, version, "\(step)")
          live[name] = (version, write.row.fields)
          return write
        }
        try await world.write(commit)
      } else {
        let index = Int(random.next() % 3)
        if clients[index].isBetweenPasses && random.next() % 4 == 0 { clients[index].max += 1 }
        let order: ChangeOrder = random.next() % 3 == 0 ? .newestFirst : .oldestFirst
        clients[index].take(
          try await page(
            world, clients[index].token, clients[index].max, limit: Int(random.next() % 6) + 1,
            order))
      }
    }
    for client in clients {
      var client = client
      repeat {
        client.take(try await page(world, client.token, client.max, limit: 3))
      } while !client.isBetweenPasses
      let wanted = live.filter { ($0.value.version ?? .min) <= client.max }
      #expect(client.records == wanted.mapValues(\.fields), "seed \(seed), max \(client.max)")
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `raising a filter fetches only what is between, and then what came meanwhile`(
    kind: TestedStorage
  ) async throws {
    let world = try StorageWorld(kind)
    try await world.makeZone()
    try await world.write((0..<10).map { Self.note("r\($0)", Int64($0)) })
    func words(_ page: FeedPage<SeenRow>) -> String {
      page.elements.map { $0.row.name + ($0.hasLeft ? " left" : "") }.joined(separator: ",")
        + (page.isMoreComing ? " …" : "")
    }
    let first = try await page(world, nil, 3, limit: 100)
    #expect(words(first) == "r0,r1,r2,r3")
    // A new version of a record that the reader has, and one of a record that it never had.
    try await world.write([Self.note("r1", 7), Self.note("r8", 8, "new")])
    let second = try await page(world, first.token, 3, limit: 100)
    #expect(words(second) == "r1 left,r8 left")
    let third = try await page(world, second.token, 6, limit: 5)
    #expect(words(third) == "r4,r5 …")
    try await world.write([Self.note("r6", 6, "changed"), Self.note("r2", nil)])
    let fourth = try await page(world, third.token, 6, limit: 5)
    #expect(words(fourth) == " …")
    let fifth = try await page(world, fourth.token, 6, limit: 5)
    #expect(words(fifth) == "r6,r2")
    #expect(fifth.token.filter?.band == nil)
    #expect(words(try await page(world, fifth.token, 6, limit: 5)) == "")
  }

  @Test func `a token goes on only with its own filter, or a higher one between two passes`()
    async throws
  {
    let world = try StorageWorld(.memory)
    try await world.makeZone()
    try await world.write((0..<9).map { Self.note("r\($0)", Int64($0)) })
    func refusal(_ token: SyncToken?, _ max: Int64?) async -> String {
      do {
        _ = try await page(world, token, max, limit: 2)
        return "none"
      } catch {
        return (error as? RequestFailure)?.code.rawValue ?? "\(error)"
      }
    }
    let unfiltered = try await page(world, nil, nil, limit: 99).token
    #expect(await refusal(unfiltered, 3) == "BAD_REQUEST")
    let pulling = try await page(world, nil, 3, limit: 2).token
    #expect(await refusal(pulling, 3) == "none")
    #expect(await refusal(pulling, 4) == "BAD_REQUEST")
    let whole = try await page(world, nil, 3, limit: 99).token
    #expect(await refusal(whole, nil) == "BAD_REQUEST")
    #expect(await refusal(whole, 2) == "BAD_REQUEST")
    let raised = try await page(world, whole, 5, limit: 2).token
    #expect(raised.filter?.band != nil)
    #expect(await refusal(raised, 5) == "none")
    #expect(await refusal(raised, 6) == "BAD_REQUEST")
    #expect(await refusal(raised, 3) == "BAD_REQUEST")
    var other = whole
    other.filter?.fingerprint = VersionFilter(fields: ["Note": "v"], max: 3).fingerprint
    #expect(await refusal(other, 3) == "BAD_REQUEST")
    // What a reader lacks of the changes cannot be made up for by a band.
    try await world.storage.write { try $0.dropTombstones(of: Samples.notes, upTo: 9) }
    #expect(await refusal(raised, 5) == "none")
    try await world.write([Samples.write("r0", isDeleted: true)])
    try await world.storage.write { try $0.dropTombstones(of: Samples.notes, upTo: 10) }
    #expect(await refusal(raised, 5) == "CHANGE_TOKEN_EXPIRED")
  }

  @Test(arguments: TestedStorage.allCases)
  func `records above the filter are neither sent nor counted by digests, and leave with a word`(
    kind: TestedStorage
  ) async throws {
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage)
    await world.makeZones("Notes")
    func save(_ name: String, _ version: Int) async {
      _ = await world.ask(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":"#
          + #"{"recordName":"\#(name)","recordType":"Note","fields":{"version":{"value":"#
          + #"\#(version),"type":"INT64"}}}}]}"#)
    }
    for (name, version) in [("a", 1), ("b", 2), ("c", 9)] { await save(name, version) }
    let filter = #","contrailVersionFilter":{"fields":{"Note":"version"},"max":2}"#
    func digest(_ filter: String) async throws -> ZoneDigestState? {
      let text = await world.askExtension(
        "zones/digest", #"{"zones":[{"zoneID":{"zoneName":"Notes"}\#(filter)}]}"#)
      guard case .state(let state)? = try ZoneDigestResponse(json: Array(text.utf8)).zones.first
      else { return nil }
      return state
    }
    let first = await world.ask(
      "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]\#(filter)}"#)
    #expect(first.values(of: "recordName") == ["a", "b"])
    let token = first.values(of: "syncToken").last ?? ""
    var state = try #require(try await digest(filter))
    #expect(state.count == 2 && state.syncToken == token)
    #expect(try await digest("")?.count == 3)
    await save("a", 3)
    let second = await world.ask(
      "changes/zone",
      #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"\#(filter)}]}"#)
    #expect(
      second.hasPrefix(
        #"{"zones":[{"zoneID":{"zoneName":"Notes","ownerRecordName":"_ann","zoneType":"#
          + #""REGULAR_CUSTOM_ZONE"},"records":[{"recordName":"a","recordType":"Note","left":true,"#
          + #""zoneID":{"zoneName":"Notes","ownerRecordName":"_ann","zoneType":"#
          + #""REGULAR_CUSTOM_ZONE"}}],"syncToken":"#))
    state = try #require(try await digest(filter))
    let left = try RecordDigest.of(
      name: "b", type: "Note", fields: ["version": .int64(2)])
    #expect(state.count == 1 && state.digest == left.value)
    _ = folder
  }

  @Test func `a digest under a filter reads so many records at most`() async {
    var limits = ServiceLimits()
    limits.filteredDigestRecordsMax = 5
    let world = ServiceWorld(limits: limits)
    await world.makeZones("Notes")
    _ = await world.save((0..<3).map { ("n\($0)", "x") })
    let item =
      #"{"zoneID":{"zoneName":"Notes"},"contrailVersionFilter":{"fields":{},"max":0}}"#
    let answer = await world.askExtension("zones/digest", #"{"zones":[\#(item),\#(item)]}"#)
    #expect(answer.values(of: "serverErrorCode") == ["BAD_REQUEST"])
    #expect(answer.contains(#""count":3"#))
  }

  @Test func `a version is a whole number in the field of the type, and else the lowest`() {
    let reader = VersionReader(VersionFilter(fields: Self.fields, max: 3))
    func version(_ fields: String, type: String = "Note") -> Int64 {
      reader.version(ofType: type, FieldBytes(checked: Array(fields.utf8)))
    }
    #expect(version(#"{"version":{"value":4,"type":"INT64"}}"#) == 4)
    #expect(version(#"{"version":{"value":4,"type":"INT64"}}"#, type: "Other") == .min)
    #expect(version(#"{"version":{"value":"4","type":"STRING"}}"#) == .min)
    #expect(version(#"{"other":{"value":4,"type":"INT64"}}"#) == .min)
    #expect(version("{}") == .min)
    #expect(version("damaged") == .min)
  }
}
