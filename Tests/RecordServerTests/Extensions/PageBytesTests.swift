import RecordWire
import Testing

@testable import RecordServer

/// Pages that are as large as a client wants them, and requests that are larger than the protocol's.
@Suite struct PageBytesTests {
  /// A zone with 450 notes of some hundred bytes each.
  private func world(_ limits: ServiceLimits = ServiceLimits()) async -> ServiceWorld {
    let world = ServiceWorld(limits: limits)
    await world.makeZones("Notes")
    let text = String(repeating: "x", count: 70)
    for start in stride(from: 0, to: 450, by: 50) {
      _ = await world.save((start..<(start + 50)).map { ("n\($0)", text) })
    }
    return world
  }

  private func page(
    _ world: ServiceWorld, _ options: String
  ) async throws -> RecordChangesResponse {
    let body = #"{"zoneID":{"zoneName":"Notes"}\#(options)}"#
    return try RecordChangesResponse(
      json: Array((await world.ask("records/changes", body)).utf8))
  }

  @Test func `a page by its bytes has more records than others, up to the bytes`() async throws {
    let world = await world()
    let usual = try await page(world, "")
    #expect(usual.records.count == 200 && usual.isMoreComing)
    let all = try await page(world, #","contrailPageBytes":1000000"#)
    #expect(all.records.count == 450 && !all.isMoreComing)
    // A note has 110 bytes of fields, and a page ends between two commits.
    let some = try await page(world, #","contrailPageBytes":30000"#)
    #expect(some.records.count == 250 && some.isMoreComing)
    let least = try await page(world, #","contrailPageBytes":0"#)
    #expect(least.records.count == 1 && least.isMoreComing)
    let few = try await page(world, #","contrailPageBytes":1000000,"resultsLimit":100"#)
    #expect(few.records.count == 100 && few.isMoreComing)
  }

  @Test func `zones of one request share the bytes that are read, also when few are answered`()
    async throws
  {
    var limits = ServiceLimits()
    limits.pageBytesMax = 30_000
    let text = await world(limits).ask(
      "changes/zone",
      #"{"desiredKeys":[],"zones":[{"zoneID":{"zoneName":"Notes"}},{"zoneID":{"zoneName":"Notes"}},"#
        + #"{"zoneID":{"zoneName":"Notes"}}]}"#)
    let counts = try ZoneChangesResponse(json: Array(text.utf8)).zones.map { zone in
      if case .page(_, let page) = zone { page.records.count } else { -1 }
    }
    // 280 notes of some 107 bytes, of which the second page ends between two commits.
    #expect(counts == [200, 50, 30])
  }

  @Test func `the server's own limits hold for pages by their bytes`() async throws {
    var limits = ServiceLimits()
    limits.bulkPageRecordsMax = 300
    var found = try await page(await world(limits), #","contrailPageBytes":1000000"#)
    #expect(found.records.count == 300 && found.isMoreComing)
    limits.pageBytesMax = 30_000
    found = try await page(await world(limits), #","contrailPageBytes":1000000"#)
    #expect(found.records.count == 250 && found.isMoreComing)
  }

  @Test func `pages by their bytes give every record once, whichever zone asks for them`()
    async throws
  {
    let world = await world()
    var token = ""
    var names: [String] = []
    for _ in 0..<10 {
      let place = token.isEmpty ? "" : #","syncToken":"\#(token)""#
      let text = await world.ask(
        "changes/zone",
        #"{"zones":[{"zoneID":{"zoneName":"Notes"}\#(place),"contrailPageBytes":25000}],"#
          + #""contrailPageBytes":1}"#)
      let answer = try ZoneChangesResponse(json: Array(text.utf8))
      guard case .page(_, let page)? = answer.zones.first else { break }
      names += page.records.compactMap {
        if case .record(let record) = $0 { record.recordName } else { nil }
      }
      token = page.syncToken
      if !page.isMoreComing { break }
    }
    #expect(names == (0..<450).map { "n\($0)" })
  }

  @Test func `a batch has more operations than the protocol allows, and says so`() async {
    let world = ServiceWorld()
    await world.makeZones("Notes")
    func save(_ count: Int, _ options: String) async -> String {
      let operations = (0..<count).map {
        #"{"operationType":"forceUpdate","record":{"recordName":"n\#($0)","recordType":"Note"}}"#
      }
      return await world.ask(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(operations.joined(separator: ","))]"#
          + options + "}")
    }
    #expect(await save(201, "").hasPrefix("BAD_REQUEST"))
    #expect(await save(1000, #","contrailBatch":true"#).values(of: "recordName").count == 1000)
    #expect(await save(1001, #","contrailBatch":true"#).hasPrefix("BAD_REQUEST"))
    #expect(await save(200, "").values(of: "recordName").count == 200)
  }
}
