import DataModel
import RecordWire
import Testing

@testable import RecordServer

/// Order, pages, markers, zones and rights.
@Suite struct PageTests {
  static let schema = ComparatorTests.schema

  @Test(arguments: TestedStorage.allCases)
  func `records come in the order asked for, those without a value first, and equal ones by name`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    try await world.save([
      ("a", ["i": .int64(2), "s": .string("x")]), ("b", ["s": .string("y")]),
      ("c", ["i": .int64(1), "s": .string("x")]), ("d", ["i": .int64(2)]),
      ("e", ["i": .int64(2), "s": .string("x")]),
    ])
    let (i, s) = (QueryField.field("i"), QueryField.field("s"))
    let rows: [([QuerySort], String)] = [
      ([QuerySort(i)], "bcade"), ([QuerySort(i, isAscending: false)], "edacb"),
      ([QuerySort(i), QuerySort(s)], "bcdae"),
      ([QuerySort(i, isAscending: false), QuerySort(s)], "daecb"),
      ([QuerySort(s), QuerySort(i, isAscending: false)], "deacb"),
      ([QuerySort(.system(.recordName), isAscending: false)], "edcba"),
      ([QuerySort(i), QuerySort(.system(.recordName), isAscending: false)], "bceda"), ([], "abcde"),
    ]
    for (sorts, expected) in rows {
      for limit in 1...5 {
        #expect(
          try await world.names(.of(sorts: sorts), limit: limit).joined() == expected,
          "\(sorts.map { "\($0.field) \($0.isAscending)" }), \(limit) a page")
      }
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `places are sorted by their distance, and a record without one is farthest`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    try await world.save([
      ("a", ["p": .place(10, 179)]), ("b", ["p": .place(10, -179)]), ("c", [:]),
      ("d", ["p": .place(10, 178)]), ("e", ["p": .place(-80, 0)]),
    ])
    let here = RecordLocation(latitude: 10, longitude: 179.9)
    let nearest = QuerySort(.field("p"), relativeLocation: here)
    #expect(try await world.names(.of(sorts: [nearest]), limit: 2).joined() == "abdec")
    let near = QueryFilter(
      .field("p"), .near, .location(here), distance: 150_000)
    #expect(try await world.names(.of(near, sorts: [nearest]), limit: 1).joined() == "ab")
  }

  @Test(arguments: TestedStorage.allCases)
  func `texts that differ behind their first bytes are still told apart by filters`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    let long = String(repeating: "x", count: IndexBytes.prefixMax)
    try await world.save([
      ("a", ["s": .string(long + "2")]), ("b", ["s": .string(long + "1")]),
      ("c", ["s": .string(long)]), ("d", ["s": .string(long + "2")]),
    ])
    #expect(try await world.names("s", .equals, .string(long + "2")) == ["a", "d"])
    #expect(try await world.names("s", .equals, .string(long)) == ["c"])
    #expect(try await world.names("s", .lessThan, .string(long + "2")) == ["b", "c"])
    #expect(try await world.names("s", .greaterThan, .string(long)) == ["a", "b", "d"])
    #expect(try await world.names("s", .beginsWith, .string(long + "1")) == ["b"])
    #expect(
      try await world.names(.of(sorts: [QuerySort(.field("s"))]), limit: 1) == ["a", "b", "c", "d"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `lists and texts with more than an index holds are found all the same`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    let many = (0..<1500).map { RecordValue.string("m\($0)") }
    try await world.save([
      (
        "big",
        [
          "ls": .list(many, of: .string),
          "s": .string((0..<1500).map { "w\($0)" }.joined(separator: " ")),
        ]
      ),
      ("small", ["ls": .texts("m7"), "s": .string("w7")]),
    ])
    #expect(try await world.names("ls", .listContains, .string("m7")) == ["big", "small"])
    #expect(try await world.names("ls", .listContains, .string("m1499")) == ["big"])
    #expect(try await world.names("ls", .listMemberBeginsWith, .string("m1499")) == ["big"])
    #expect(try await world.names("s", .containsAllTokens, .string("w7 w1400")) == ["big"])
  }

  @Test(arguments: TestedStorage.allCases)
  func `a marker of another query, another storage or nobody is refused`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    try await world.save((0..<5).map { ("r\($0)", ["i": .int64($0)]) })
    let query = RecordQuery.of(sorts: [QuerySort(.field("i"))])
    let first = try await world.page(QueryRequest(query, resultsLimit: 2))
    let marker = try #require(first.marker)
    #expect(try await world.failure(query, marker: marker.text) == nil)
    var wrong = marker
    wrong.epoch &+= 1
    #expect(try await world.failure(query, marker: wrong.text) == .otherMarker)
    wrong = marker
    wrong.position.removeLast()
    #expect(try await world.failure(query, marker: wrong.text) == .otherMarker)
    wrong.position = [255]
    #expect(try await world.failure(query, marker: wrong.text) == .otherMarker)
    #expect(try await world.failure(query, marker: "AAAA") == .otherMarker)
    #expect(try await world.failure(.of(), marker: marker.text) == .otherMarker)
    let other = QueryRequest(
      query, zone: ZoneIdentity(name: "Notes"), continuationMarker: marker.text)
    await #expect(throws: RequestFailure.otherMarker) { try await world.page(other) }
  }

  @Test(arguments: TestedStorage.allCases)
  func `a page has at most 200 records, and at least one`(kind: TestedStorage) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    try await world.save((0..<199).map { ("r\($0)", [:]) })
    try await world.save((199..<205).map { ("r\($0)", [:]) })
    for (asked, got) in [(nil, 200), (1000, 200), (200, 200), (7, 7), (0, 1), (-3, 1)] {
      let page = try await world.page(QueryRequest(.of(), resultsLimit: asked))
      #expect(page.records.count == got)
      #expect(page.marker != nil)
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `in the public database a caller finds what the grants let them read, in full pages`(
    kind: TestedStorage
  ) async throws {
    let zone = ZoneKey(.everyone, ZoneIdentity.defaultName)
    let world = try await QueryWorld(
      kind,
      """
      RECORD TYPE T (i INT64 QUERYABLE SORTABLE, "___recordID" REFERENCE QUERYABLE,
        GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
      """, zone: zone)
    for user in ["_ann", "_bob", "_ann", "_bob"] {
      world.writing.user = user
      let start = try await world.names(.of(), caller: RecordCaller(user: "_ann")).count
      try await world.save((0..<10).map { ("\(user)\(start)\($0)", ["i": .int64($0)]) })
    }
    let ann = RecordCaller(user: "_ann")
    for sorts in [[], [QuerySort(.field("i"))]] {
      let found = try await world.names(.of(sorts: sorts), limit: 3, caller: ann)
      #expect(found.count == 20)
      #expect(found.allSatisfy { $0.hasPrefix("_ann") })
    }
    await #expect(throws: RequestFailure.notPermitted) {
      try await world.page(QueryRequest(.of()), caller: .anyone)
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `several zones are one list, and a default zone that nobody made is empty`(
    kind: TestedStorage
  ) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    let zones = ["Notes", "Work", "Zoo"].map { ZoneKey(Samples.ann, $0) }
    for zone in zones.dropFirst() {
      world.writing.zone = zone
      try await world.writing.begin()
    }
    for (number, zone) in zones.enumerated() {
      world.writing.zone = zone
      try await world.save([
        ("a", ["i": .int64(1)]), ("b", ["i": .int64(Int64(number))]), ("c\(number)", [:]),
      ])
    }
    let all = zones + [ZoneKey(Samples.ann, ZoneIdentity.defaultName)]
    for limit in 1...9 {
      #expect(
        try await world.names(
          .of(sorts: [QuerySort(.field("i"))]), limit: limit, zones: all, isZoneWide: true)
          == [
            "Notes/c0", "Work/c1", "Zoo/c2", "Notes/b", "Notes/a", "Work/a", "Zoo/a", "Work/b",
            "Zoo/b",
          ], "\(limit) a page")
      #expect(
        try await world.names(
          .of(QueryFilter(.field("i"), .equals, .int64(1))), limit: limit, zones: all,
          isZoneWide: true) == ["Notes/a", "Work/a", "Zoo/a", "Work/b"], "\(limit) a page")
      #expect(
        try await world.names(
          .of(sorts: [QuerySort(.system(.recordName), isAscending: false)]), limit: limit,
          zones: all, isZoneWide: true
        ).prefix(5)
          == ["Zoo/c2", "Work/c1", "Notes/c0", "Zoo/b", "Work/b"], "\(limit) a page")
    }
    await #expect(throws: RequestFailure.zoneNotFound("None")) {
      try await world.page(QueryRequest(.of()), zones: [ZoneKey(Samples.ann, "None")])
    }
  }

  @Test(arguments: TestedStorage.allCases, [nil, true, false])
  func `pages over many zones that hold little get on in all of them`(
    kind: TestedStorage, sort: Bool?
  ) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    let zones = ["Notes", "Work", "Zoo"].map { ZoneKey(Samples.ann, $0) }
    for zone in zones.dropFirst() {
      world.writing.zone = zone
      try await world.writing.begin()
    }
    for zone in zones {
      world.writing.zone = zone
      try await world.save(
        (0..<100).map {
          (
            "r\($0 < 10 ? "0" : "")\($0)",
            ["i": .int64(Int64($0)), "s": .string($0 == 99 ? "y" : "x")]
          )
        })
    }
    // Found by no index, and only at the end of each zone.
    let query = RecordQuery.of(
      QueryFilter(.field("s"), .notEquals, .string("x")),
      sorts: sort.map { [QuerySort(.field("i"), isAscending: $0)] } ?? [])
    var request = QueryRequest(query, resultsLimit: 10, isZoneWide: true)
    var (pages, names) = (0, [String]())
    while pages < 300 {
      var run = QueryRun(
        request, zones: zones, caller: RecordCaller(user: "_ann"), schema: world.resolved)
      run.examinedMax = 30
      let ready = run
      let page = try await world.storage.read { try ready.page(in: $0) }
      pages += 1
      names += page.records.map { "\($0.zone.name)/\($0.row.name)" }
      guard let marker = page.marker else { break }
      request.continuationMarker = marker.text
    }
    let expected = ["Notes/r99", "Work/r99", "Zoo/r99"]
    #expect(names == (sort == false ? expected.reversed() : expected))
    #expect(pages <= 300 / 30 * 2)
  }

  @Test(arguments: TestedStorage.allCases)
  func `all zones together sort so many records and no more`(kind: TestedStorage) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    let zones = ["Notes", "Work"].map { ZoneKey(Samples.ann, $0) }
    world.writing.zone = zones[1]
    try await world.writing.begin()
    for zone in zones {
      world.writing.zone = zone
      try await world.save((0..<10).map { ("r\($0)", ["i": .int64(1), "s": .string("x")]) })
    }
    func page(sortedMax: Int) async throws -> Int {
      // So few are found by one field that they are sorted by the other.
      let query = RecordQuery.of(
        QueryFilter(.field("s"), .equals, .string("x")), sorts: [QuerySort(.field("i"))])
      var run = QueryRun(
        QueryRequest(query, isZoneWide: true), zones: zones,
        caller: RecordCaller(user: "_ann"), schema: world.resolved)
      run.sortedMax = sortedMax
      let ready = run
      return try await world.storage.read { try ready.page(in: $0) }.records.count
    }
    #expect(try await page(sortedMax: 20) == 20)
    await #expect(throws: RequestFailure.tooManyToSort) { try await page(sortedMax: 19) }
  }
}
