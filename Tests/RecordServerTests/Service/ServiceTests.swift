import RecordWire
import Testing

@testable import RecordServer

/// What the service answers to messages.
@Suite struct ServiceTests {
  @Test(arguments: TestedStorage.allCases)
  func `what is saved is looked up again, and what is not there has an error in its place`(
    kind: TestedStorage
  ) async throws {
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage)
    await world.makeZones("Notes")
    #expect(
      await world.save([("a", "one")]) == """
        {"records":[{"recordName":"a","recordType":"Note","fields":{"text":{"value":"one",\
        "type":"STRING"}},"pluginFields":{},"recordChangeTag":"1","created":{"timestamp":2000,\
        "userRecordName":"_ann","deviceID":"2"},"modified":{"timestamp":2000,"userRecordName":\
        "_ann","deviceID":"2"},"deleted":false,"zoneID":{"zoneName":"Notes","ownerRecordName":\
        "_ann","zoneType":"REGULAR_CUSTOM_ZONE"}}]}
        """)
    #expect(
      await world.ask(
        "records/lookup",
        #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"b"},{"recordName":"a"}],"#
          + #""desiredKeys":["other"]}"#) == """
          {"records":[{"recordName":"b","reason":"record not found","serverErrorCode":"NOT_FOUND"},\
          {"recordName":"a","recordType":"Note","fields":{},"pluginFields":{},"recordChangeTag":"1",\
          "created":{"timestamp":2000,"userRecordName":"_ann","deviceID":"2"},"modified":\
          {"timestamp":2000,"userRecordName":"_ann","deviceID":"2"},"deleted":false,"zoneID":\
          {"zoneName":"Notes","ownerRecordName":"_ann","zoneType":"REGULAR_CUSTOM_ZONE"}}]}
          """)
    _ = folder
  }

  @Test(arguments: TestedStorage.allCases)
  func `the record that the server makes of a user is found by queries too`(
    kind: TestedStorage
  ) async throws {
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage)
    let schema = try ContainerSchema().importing(
      """
      RECORD TYPE Users ("___recordID" REFERENCE QUERYABLE, roles LIST<INT64>, \
      GRANT WRITE TO "_creator", GRANT READ TO "_world");
      """)
    try await storage.write { try $0.setSchema(try schema.stored(), version: schema.version) }
    _ = await world.ask("users/caller", "", .public)
    let query = #"{"query":{"recordType":"Users"}}"#
    let found = await world.ask("records/query", query, .public)
    #expect(found.values(of: "recordName") == ["_ann"], "\(found)")
    _ = folder
  }

  @Test func `the default zone is there before anything is saved in it`() async {
    let world = ServiceWorld()
    #expect(
      await world.ask("zones/list", "") == """
        {"zones":[{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"_ann","zoneType":\
        "DEFAULT_ZONE"},"atomic":false}]}
        """)
    #expect(
      await world.ask("records/lookup", #"{"records":[{"recordName":"a"}]}"#)
        .values(of: "serverErrorCode") == ["NOT_FOUND"])
    let saved = await world.ask(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordType":"T","fields":{}}}]}"#)
    #expect(saved.values(of: "recordName") == ["NEW-3"])
    #expect(
      await world.ask("records/lookup", #"{"records":[{"recordName":"NEW-3"}]}"#)
        .values(of: "recordType") == ["T"])
  }

  @Test func `zones are made, looked up and deleted, each with its own error`() async {
    let world = ServiceWorld()
    await world.makeZones("Notes", "Notes", "_x", "_defaultZone")
    #expect(
      await world.ask("zones/list", "{}").values(of: "zoneName") == ["_defaultZone", "Notes"])
    let looked = await world.ask(
      "zones/lookup",
      #"{"zones":[{"zoneName":"Nope"},{"zoneName":"Notes"},"#
        + #"{"zoneName":"Notes","ownerRecordName":"_bob"}]}"#)
    #expect(looked.values(of: "serverErrorCode") == ["ZONE_NOT_FOUND", "ZONE_NOT_FOUND"])
    let deletions =
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Notes"}}},"#
      + #"{"operationType":"delete","zone":{"zoneID":{"zoneName":"Notes"}}},"#
      + #"{"operationType":"delete","zone":{"zoneID":{"zoneName":"_defaultZone"}}}]}"#
    #expect(
      await world.ask("zones/modify", deletions).values(of: "serverErrorCode")
        == ["ZONE_NOT_FOUND", "BAD_REQUEST"])
    #expect(await world.ask("zones/list", "{}").values(of: "zoneName") == ["_defaultZone"])
  }

  @Test func `a database's feed tells of zones that changed, and of those that were deleted`() async
  {
    let world = ServiceWorld()
    await world.makeZones("A", "Notes")
    let first = await world.ask("changes/database", "{}")
    #expect(first.values(of: "zoneName") == ["A", "Notes"])
    let token = first.values(of: "syncToken").last ?? ""
    _ = await world.ask(
      "zones/modify",
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"A"}}}]}"#)
    let second = await world.ask("changes/database", #"{"syncToken":"\#(token)"}"#)
    #expect(second.values(of: "zoneName") == ["A"])
    #expect(second.contains(#""deleted":true"#))
    #expect(second.contains(#""moreComing":false"#))
  }

  @Test func `older clients are told of changed zones by a token of another name`() async {
    let world = ServiceWorld()
    await world.makeZones("A", "Notes")
    let first = await world.ask("zones/changes", "{}")
    #expect(first.values(of: "zoneName") == ["A", "Notes"])
    let token = first.values(of: "metaSyncToken").last ?? ""
    await world.makeZones("B")
    let second = await world.ask("zones/changes", #"{"metaSyncToken":"\#(token)"}"#)
    #expect(second.values(of: "zoneName") == ["B"])
    // As with the protocol's own servers: the newer name means nothing here.
    let other = await world.ask("zones/changes", #"{"syncToken":"\#(token)"}"#)
    #expect(other.values(of: "zoneName") == ["A", "Notes", "B"])
    #expect(await world.ask("zones/changes", "{}", .public).contains("BAD_REQUEST"))
  }

  @Test(arguments: TestedStorage.allCases)
  func `changes are read in pages, of the types and fields that are wanted, also newest first`(
    kind: TestedStorage
  ) async throws {
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage)
    await world.makeZones("Notes")
    for name in ["a", "b", "c", "d", "e"] { _ = await world.save([(name, name)]) }
    func pages(_ options: String, from start: String? = nil) async -> (
      names: [[String]], token: String
    ) {
      var names: [[String]] = []
      var token = start
      while true {
        let place = token.map { #","syncToken":"\#($0)""# } ?? ""
        let page = await world.ask(
          "changes/zone",
          #"{"zones":[{"zoneID":{"zoneName":"Notes"}\#(place)}],"resultsLimit":2\#(options)}"#)
        names.append(page.values(of: "recordName"))
        token = page.values(of: "syncToken").last
        if page.contains(#""moreComing":false"#) || names.count > 9 { break }
      }
      return (names, token ?? "")
    }
    let forward = await pages("")
    #expect(forward.names == [["a", "b"], ["c", "d"], ["e"]])
    let backward = await pages(#","reverse":true"#)
    #expect(backward.names == [["e", "d"], ["c", "b"], ["a"]])
    #expect(backward.token == forward.token)
    #expect(await pages(#","desiredRecordTypes":["Other"]"#).names == [[], [], []])
    _ = await world.ask(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":"#
        + #"{"recordName":"b"}}]}"#)
    _ = await world.save([("c", "new")])
    #expect(await pages("", from: forward.token).names == [["b", "c"]])
    #expect(await pages(#","reverse":true"#, from: forward.token).names == [["c", "b"]])
    _ = folder
  }

  @Test func `a page has no more bytes than the limit says, but at least one record`() async {
    var limits = ServiceLimits()
    limits.pageBytesMax = 100
    let world = ServiceWorld(limits: limits)
    await world.makeZones("Notes")
    _ = await world.save([("a", String(repeating: "x", count: 500))])
    _ = await world.save([("b", "1")])
    _ = await world.save([("c", "2")])
    let page = await world.ask("records/changes", #"{"zoneID":{"zoneName":"Notes"}}"#)
    #expect(page.values(of: "recordName") == ["a"])
    let token = page.values(of: "syncToken").last ?? ""
    let next = await world.ask(
      "records/changes", #"{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}"#)
    #expect(next.values(of: "recordName") == ["b", "c"])
  }

  @Test func `a lookup whose answer is full says which records to ask for again`() async {
    var limits = ServiceLimits()
    limits.pageBytesMax = 1000
    let world = ServiceWorld(limits: limits)
    await world.makeZones("Notes")
    let long = String(repeating: "x", count: 500)
    let names = (0..<40).map { "n\($0)" }
    _ = await world.save(names.map { ($0, long) })
    let items = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
    let answer = await world.ask(
      "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[\#(items)]}"#)
    #expect(answer.values(of: "recordName") == names)
    #expect(
      answer.values(of: "serverErrorCode")
        == [String](repeating: "TRY_AGAIN_LATER", count: 24))
  }

  @Test func `a page of a query has no more bytes than the limit says, and goes on behind it`()
    async
  {
    var limits = ServiceLimits()
    limits.pageBytesMax = 100
    let world = ServiceWorld(limits: limits)
    await world.makeZones("Notes")
    let long = String(repeating: "x", count: 500)
    _ = await world.save([("a", long), ("b", "1"), ("c", "2"), ("d", long), ("e", "3")])
    let query =
      #""zoneID":{"zoneName":"Notes"},"query":{"recordType":"Note","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"text","fieldValue":"#
      + #"{"value":"","type":"STRING"}}]}"#
    var pages: [[String]] = []
    var marker: String?
    repeat {
      let place = marker.map { #","continuationMarker":"\#($0)""# } ?? ""
      let page = await world.ask("records/query", "{\(query)\(place)}")
      pages.append(page.values(of: "recordName"))
      marker = page.values(of: "continuationMarker").first
    } while marker != nil && pages.count < 9
    #expect(pages == [["a"], ["b", "c"], ["d"], ["e"]])
  }

  @Test func `a zone whose changes cannot be read has an error in its place`() async {
    let world = ServiceWorld()
    await world.makeZones("Notes")
    let answer = await world.ask(
      "changes/zone",
      #"{"zones":[{"zoneID":{"zoneName":"_defaultZone"}},"#
        + #"{"zoneID":{"zoneName":"Nope"}},{"zoneID":{"zoneName":"Notes"},"syncToken":"x"},"#
        + #"{"zoneID":{"zoneName":"Notes"}}]}"#)
    #expect(
      answer.values(of: "serverErrorCode") == ["BAD_REQUEST", "ZONE_NOT_FOUND", "BAD_REQUEST"])
    #expect(
      answer.values(of: "reason") == [
        "cannot get changes in default zone", "Zone 'Nope' does not exist",
        "Unknown sync continuation type",
      ])
    #expect(answer.values(of: "syncToken").count == 1)
  }

  @Test func `an operation in the wrong database, an unknown one and one of later are refused`()
    async
  {
    let world = ServiceWorld()
    #expect(
      await world.ask("changes/zone", #"{"zones":[]}"#, .public)
        == "BAD_REQUEST: endpoint not applicable in the database type")
    #expect(
      await world.ask("records/eat", "{}") == "NOT_FOUND: there is no operation 'records/eat'")
    #expect(
      await world.ask("subscriptions/list", "{}")
        == "BAD_REQUEST: this server does not offer subscriptions")
    #expect(
      await world.ask("records/lookup", "[]")
        == "BAD_REQUEST: BadRequestException: Unexpected input: expected an object, found an array")
    #expect(
      await world.ask("zones/list", "{}", as: nil)
        == "AUTHENTICATION_REQUIRED: request needs authorization")
  }

  @Test(arguments: [
    ("records/resolve", "sharing"), ("records/accept", "sharing"),
    ("subscriptions/list", "subscriptions"), ("subscriptions/lookup", "subscriptions"),
    ("subscriptions/modify", "subscriptions"), ("tokens/create", "push notifications"),
    ("tokens/register", "push notifications"), ("users/lookup/email", "looking up users"),
    ("users/lookup/id", "looking up users"), ("users/lookup/contacts", "looking up users"),
  ])
  func `what comes later is refused in the protocol's words`(path: String, feature: String) async {
    for scope in [DatabaseScope.public, .private] {
      #expect(
        await ServiceWorld().ask(path, "{}", scope)
          == "BAD_REQUEST: this server does not offer \(feature)")
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `old tombstones go, and who has not read since then begins anew`(kind: TestedStorage)
    async throws
  {
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage)
    await world.makeZones("Notes")
    _ = await world.save([("a", ""), ("b", ""), ("c", "")])
    func changes(_ token: String?) async -> String {
      let place = token.map { #","syncToken":"\#($0)""# } ?? ""
      return await world.ask(
        "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}\#(place)}]}"#)
    }
    func delete(_ name: String) async {
      _ = await world.ask(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceDelete","record":"#
          + #"{"recordName":"\#(name)"}}]}"#)
    }
    let early = await changes(nil).values(of: "syncToken").first
    await delete("a")
    let middle = await changes(early).values(of: "syncToken").first
    await delete("b")
    // The world's clock is at 6 s by now: the first deletion was at 4 s, the second at 6 s.
    #expect(try await world.service.dropTombstones(madeBefore: 5000) == 1)
    #expect(try await world.service.dropTombstones(madeBefore: 5000) == 0)
    #expect(await changes(early).values(of: "serverErrorCode") == ["CHANGE_TOKEN_EXPIRED"])
    #expect(await changes(middle).values(of: "recordName") == ["b"])
    #expect(await changes(nil).values(of: "recordName") == ["c"])
    _ = folder
  }

  @Test func `a shared database has no zones`() async {
    let world = ServiceWorld()
    await world.makeZones("Notes")
    #expect(await world.ask("zones/list", "{}", .shared) == #"{"zones":[]}"#)
    #expect(await world.ask("changes/database", "{}", .shared).contains(#""zones":[]"#))
    #expect(
      await world.ask(
        "records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[]}"#, .shared)
        == "ZONE_NOT_FOUND: Zone 'Notes' does not exist")
  }

  @Test(arguments: TestedStorage.allCases)
  func `a full database takes what makes it smaller, and nothing else`(kind: TestedStorage)
    async throws
  {
    var limits = ServiceLimits()
    limits.privateBytesMax = 100
    let (storage, folder) = try kind.make()
    let world = ServiceWorld(storage, limits: limits)
    await world.makeZones("Notes")
    #expect(await world.save([("a", "0123456789")]).values(of: "serverErrorCode") == [])
    let long = String(repeating: "x", count: 90)
    #expect(await world.save([("b", long)]).values(of: "serverErrorCode") == ["QUOTA_EXCEEDED"])
    #expect(await world.save([("a", "0")]).values(of: "serverErrorCode") == [])
    _ = await world.ask(
      "zones/modify",
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#)
    let used = try await storage.read { try $0.bytesUsed(by: .user("_ann")) }
    #expect(used == 0)
    _ = folder
  }

  @Test func `no more records than the limit says go with one that is deleted`() async {
    var limits = ServiceLimits()
    limits.deleteSelfSourcesMax = 2
    let world = ServiceWorld(limits: limits)
    await world.makeZones("Notes")
    _ = await world.save([("target", "")])
    func point(_ name: String) async -> [String] {
      await world.ask(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":"#
          + #"{"recordName":"\#(name)","recordType":"Link","fields":{"to":{"type":"REFERENCE","#
          + #""value":{"recordName":"target","action":"DELETE_SELF"}}}}}]}"#
      ).values(of: "serverErrorCode")
    }
    #expect(
      await [point("a"), point("b"), point("b"), point("c")] == [[], [], [], ["BAD_REQUEST"]])
  }

  @Test func `the record of a user is made by asking who calls, and its roles are not theirs`()
    async
  {
    let world = ServiceWorld()
    #expect(await world.ask("users/caller", "", .public) == #"{"userRecordName":"_ann"}"#)
    func set(_ kind: String, _ fields: String, as user: String) async -> [String] {
      await world.ask(
        "records/modify",
        #"{"operations":[{"operationType":"\#(kind)","record":{"recordName":"_ann","recordType":"#
          + #""Users","fields":{\#(fields)}}}]}"#, .public, as: user
      ).values(of: "serverErrorCode")
    }
    let nick = #""nick":{"value":"A"}"#
    #expect(await set("forceUpdate", nick, as: "_ann") == [])
    #expect(await set("forceUpdate", nick, as: "_bob") == ["ACCESS_DENIED"])
    #expect(await set("forceReplace", nick, as: "_ann") == ["ACCESS_DENIED"])
    let roles = #""roles":{"value":[1],"type":"INT64_LIST"}"#
    #expect(await set("forceUpdate", roles, as: "_ann") == ["ACCESS_DENIED"])
  }

  @Test func `a schema that a save has extended is met by the next request`() async throws {
    let storage = MemoryStorage(epoch: 7)
    let world = ServiceWorld(storage)
    await world.makeZones("Notes")
    _ = await world.save([("a", "one")])
    let version = try await storage.read { try $0.schemaVersion() }
    #expect(version == 2)
    let answer = await world.ask(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":"#
        + #"{"recordType":"Note","fields":{"text":{"value":1}}}}]}"#)
    #expect(
      answer.values(of: "reason") == [
        "invalid attempt to set value type INT64 for field 'text' for type 'Note', defined to be: "
          + "STRING"
      ])
  }
}
