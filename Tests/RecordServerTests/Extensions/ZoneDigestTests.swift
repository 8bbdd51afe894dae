import RecordWire
import SchemaGenerator
import Testing

@testable import RecordServer

/// Digests of zones, which every write keeps account of.
@Suite struct ZoneDigestTests {
  /// The digest as it is kept, and as it is when it is made anew from the live records.
  private func digests(
    _ storage: any RecordStorage, _ zone: ZoneKey
  ) async throws -> (kept: ZoneDigest, anew: ZoneDigest) {
    try await storage.read { transaction in
      let rows = try transaction.changes(
        of: zone, after: 0, upTo: .max, order: .oldestFirst, limit: PageLimit(records: 10_000),
        withTombstones: true
      ).rows
      var anew = ZoneDigest()
      anew.apply(DigestChange(rows.map { RecordWrite($0) }))
      return (try transaction.digest(of: zone), anew)
    }
  }

  @Test(arguments: TestedStorage.allCases, UInt64(1)...12)
  func `whatever is saved and deleted, the digest is that of the live records`(
    kind: TestedStorage, seed: UInt64
  ) async throws {
    let (storage, folder) = try kind.make()
    let world = ModifyWorld(storage)
    try await world.begin()
    var random = SeededGenerator(seed: seed)
    var seen: Set<DigestSum> = []
    for step in 0..<40 {
      let operations = (0...Int(random.next() % 6)).map { _ in Self.operation(&random) }
      _ = try await world.modify(operations, atomic: random.next() % 2 == 0)
      switch random.next() % 12 {
      case 0:
        let end = random.next() % 40
        try await storage.write { try $0.dropTombstones(of: Samples.notes, upTo: end) }
      case 1:
        try await storage.write { transaction in
          try transaction.deleteZone(Samples.notes)
          _ = try transaction.createZone(Samples.notes, epoch: 100)
        }
      case 2:
        struct Stop: Error {}
        try? await storage.write { transaction in
          _ = try transaction.write([Samples.write("undone")], in: Samples.notes)
          throw Stop()
        }
      default: break
      }
      let found = try await digests(storage, Samples.notes)
      #expect(found.kept == found.anew, "seed \(seed), step \(step)")
      #expect(
        found.kept.whole.count == UInt64(try await world.contents().count),
        "seed \(seed), step \(step)")
      seen.insert(found.kept.whole)
    }
    #expect(seen.count > 20, "seed \(seed)")
    _ = folder
  }

  private static func operation(_ random: inout SeededGenerator) -> RecordOperation {
    let kinds: [RecordOperation.Kind] = [
      .create, .forceUpdate, .forceUpdate, .forceReplace, .forceDelete,
    ]
    var fields: RecordFields = ["text": .string("t\(random.next() % 9)")]
    if random.next() % 2 == 0 {
      fields["owner"] = RecordField(.refers(to: "r\(random.next() % 9)", .deleteSelf))
    }
    return .op(
      kinds[Int(random.next() % UInt64(kinds.count))], "r\(random.next() % 9)", fields)
  }

  @Test func `memory and a file keep the same digests`() async throws {
    var found: [ZoneDigest] = []
    for kind in TestedStorage.allCases {
      let (storage, folder) = try kind.make()
      let world = ModifyWorld(storage)
      try await world.begin()
      for round in 0..<3 {
        _ = try await world.modify(
          (0..<300).map { number in
            .op(.forceUpdate, "r\(number)", ["text": .string("\(round * number)")])
          })
      }
      let digests = try await digests(storage, Samples.notes)
      #expect(digests.kept == digests.anew)
      found.append(digests.kept)
      _ = folder
    }
    #expect(found[0] == found[1])
    #expect(found[0].buckets.filter { $0.count > 0 }.count > 100)
  }

  @Test func `a part of the buckets is the same after it was kept, and no bytes are no records`() {
    var part = DigestPart(stored: [])
    #expect(part.sums == [DigestSum](repeating: DigestSum(), count: DigestPart.bucketCount))
    for bucket in [16, 20, 31] {
      let value = Digest128(high: UInt64(bucket) << 56 | 1, low: .max - UInt64(bucket))
      part.add(DigestSum(count: UInt64(bucket), value: value), toBucket: bucket)
    }
    #expect(DigestPart(stored: part.stored) == part)
    #expect(DigestPart(stored: Array(part.stored.prefix(24))).sums.first == part.sums.first)
    var digest = ZoneDigest()
    digest.set(part, at: 1)
    #expect(Array(digest.buckets[16..<32]) == part.sums)
    #expect(digest.whole.count == 67)
    digest.set(part, at: 16)
    digest.set(part, at: -1)
    #expect(digest.whole.count == 67)
  }

  @Test(arguments: TestedStorage.allCases)
  func `a client that has the records and the token has the digest too`(
    kind: TestedStorage
  ) async throws {
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage)
    await world.makeZones("Notes", "Empty")
    _ = await world.save([("a", "one"), ("b", "two"), ("c", "three")])
    _ = await world.save([("b", "zwei")])
    _ = await world.ask(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":"#
        + #"{"recordName":"c"}}]}"#)
    let text = await world.askExtension(
      "zones/digest",
      #"{"zones":[{"zoneID":{"zoneName":"Notes"},"buckets":true},"#
        + #"{"zoneID":{"zoneName":"Nope"}},{"zoneID":{"zoneName":"_defaultZone"}},"#
        + #"{"zoneID":{"zoneName":"Empty"}}]}"#)
    let answer = try ZoneDigestResponse(json: Array(text.utf8))
    let page = try RecordChangesResponse(
      json: Array((await world.ask("records/changes", #"{"zoneID":{"zoneName":"Notes"}}"#)).utf8))
    var own = ZoneDigest()
    var sum = DigestSum()
    for case .record(let record) in page.records where !record.isDeleted {
      guard case .fields(let fields)? = record.content else { continue }
      let digest = try RecordDigest.of(
        name: record.recordName ?? "", type: record.recordType ?? "", fields: fields)
      sum.add(digest)
      own.apply(DigestChange([RecordWrite(try Self.row(record, fields))]))
    }
    guard case .state(let notes) = answer.zones.first, answer.zones.count == 4 else {
      Issue.record("\(text)")
      return
    }
    #expect(notes.count == 2 && notes.digest == sum.value && sum.count == 2)
    #expect(notes.buckets == own.buckets.map(\.value))
    #expect(notes.syncToken == page.syncToken)
    #expect(
      answer.zones[1...2].map { entry in
        if case .failure(let failure) = entry { failure.failure.code.rawValue } else { "none" }
      } == ["ZONE_NOT_FOUND", "BAD_REQUEST"])
    guard case .state(let empty) = answer.zones[3] else {
      Issue.record("\(text)")
      return
    }
    #expect(empty.count == 0 && empty.digest == .zero && empty.buckets == nil)
    _ = folder
  }

  @Test(arguments: TestedStorage.allCases)
  func `the records of a bucket are those whose names belong to it, with their tags and digests`(
    kind: TestedStorage
  ) async throws {
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage)
    await world.makeZones("Notes")
    _ = await world.save((0..<40).map { ("n\($0)", "text \($0)") })
    _ = await world.save([("n3", "changed")])
    _ = await world.ask(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":"#
        + #"{"recordName":"n4"}}]}"#)
    let buckets = Set(["n3", "n4", "n7"].map(RecordDigest.bucket(of:)))
    let asked = buckets.map(String.init).joined(separator: ",")
    let text = await world.askExtension(
      "zones/digest",
      #"{"zones":[{"zoneID":{"zoneName":"Notes"},"recordsOf":[\#(asked)]},"#
        + #"{"zoneID":{"zoneName":"Notes"}}]}"#)
    let answer = try ZoneDigestResponse(json: Array(text.utf8))
    guard case .state(let listed) = answer.zones.first, case .state(let plain) = answer.zones.last
    else {
      Issue.record("\(text)")
      return
    }
    let page = try RecordChangesResponse(
      json: Array((await world.ask("records/changes", #"{"zoneID":{"zoneName":"Notes"}}"#)).utf8))
    let expected = try page.records.compactMap { result -> DigestedRecord? in
      guard case .record(let record) = result, let name = record.recordName,
        buckets.contains(RecordDigest.bucket(of: name)), let tag = record.changeTag,
        case .fields(let fields)? = record.content
      else { return nil }
      let digest = try RecordDigest.of(name: name, type: record.recordType ?? "", fields: fields)
      return DigestedRecord(recordName: name, changeTag: tag, digest: digest.value)
    }
    #expect(expected.contains { $0.recordName == "n3" })
    #expect(!expected.contains { $0.recordName == "n4" })
    #expect(listed.records == expected && listed.recordsNext == nil)
    #expect(plain.records == nil && plain.recordsNext == nil)
    _ = folder
  }

  @Test(arguments: TestedStorage.allCases, [(3, 1_000), (1_000, 7), (1, 1)])
  func `a long list of records comes in parts that say where the next one begins`(
    kind: TestedStorage, limit: (entries: Int, reads: Int)
  ) async throws {
    let (storage, folder) = try kind.make()
    var limits = ServiceLimits()
    (limits.digestedRecordsMax, limits.digestedRecordsReadMax) = (limit.entries, limit.reads)
    let world = ServiceWorld(storage, limits: limits)
    await world.makeZones("Notes")
    _ = await world.save((0..<20).map { ("n\($0)", "text") })
    let all = (0..<RecordDigest.bucketCount).map(String.init).joined(separator: ",")
    var names: [String] = []
    var parts = 0
    var next: Int? = 0
    while let after = next, parts < 100 {
      let text = await world.askExtension(
        "zones/digest",
        #"{"zones":[{"zoneID":{"zoneName":"Notes"},"recordsOf":[\#(all)],"recordsAfter":\#(after)}]}"#
      )
      guard case .state(let state)? = try ZoneDigestResponse(json: Array(text.utf8)).zones.first
      else {
        Issue.record("\(text)")
        return
      }
      names += state.records?.map(\.recordName) ?? []
      next = state.recordsNext
      parts += 1
    }
    #expect(names.sorted() == (0..<20).map { "n\($0)" }.sorted())
    #expect(parts >= 20 / min(limit.entries, limit.reads))
    _ = folder
  }

  @Test func `an asset counts in a kept record as it does in an answer`() throws {
    let address = try #require(AssetAddress(digest: [UInt8](repeating: 7, count: 32)))
    let kept = RecordAsset(stored: AssetFile(address, size: 9))
    var row = Samples.row("a")
    row.fields = try FieldBytes(["file": .asset(kept)])
    let write = RecordWrite(row, assets: [address])
    var answered = kept
    answered.downloadURL = "https://example.com/f"
    #expect(
      write.row.digest
        == (try RecordDigest.of(name: "a", type: "Note", fields: ["file": .asset(answered)])))
    #expect(RecordWrite(row, replacing: write.row).replacedDigest == write.row.digest)
  }

  private static func row(_ record: Record, _ fields: RecordFields) throws -> RecordRow {
    let stamp = RecordStamp(timestamp: 0)
    return RecordRow(
      name: record.recordName ?? "", type: record.recordType ?? "", created: stamp,
      modified: stamp, fields: try FieldBytes(fields))
  }

  @Test func `others see no digest of a user's zone, nor is there one of the public database`()
    async
  {
    let world = ServiceWorld()
    await world.makeZones("Notes")
    let body = #"{"zones":[{"zoneID":{"zoneName":"Notes","ownerRecordName":"_ann"}}]}"#
    #expect(
      await world.askExtension("zones/digest", body, as: "_bob").values(of: "serverErrorCode")
        == ["ZONE_NOT_FOUND"])
    #expect(await world.askExtension("zones/digest", body, .public).hasPrefix("BAD_REQUEST"))
    #expect(
      await world.askExtension("zones/digest", body, as: nil).values(of: "serverErrorCode")
        == ["AUTHENTICATION_REQUIRED"])
  }
}
