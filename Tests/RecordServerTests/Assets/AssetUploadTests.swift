import DataModel
import RecordWire
import Testing

@testable import RecordServer

@Suite struct AssetUploadTests {
  @Test(arguments: TestedStorage.allCases)
  func `an upload ends as a field with an address to download from`(kind: TestedStorage)
    async throws
  {
    let world = try await AssetWorld(kind)
    let entries = try await world.places([AssetField(recordType: "Note", fieldName: "image")])
    guard case .token(let token)? = entries.first else {
      Issue.record("\(entries)")
      return
    }
    #expect(token.recordName == "NEW-0" && token.fieldName == "image")
    let path = "/assets/1/\(AssetWorld.container)/development/upload/"
    #expect(token.url.hasPrefix(AssetWorld.base + path))
    let asset = try await world.send("hello", to: token.url)
    let checksum = try AssetWorld.file("hello").address.fileChecksum
    #expect(asset.fileChecksum == checksum && asset.size == 5 && asset.receipt != nil)
    #expect(asset.wrappingKey != nil && asset.referenceChecksum == checksum)
    let saved = try await world.modify.modify([
      .op(.create, "NEW-0", ["image": .untyped(.asset(asset)), "text": .string("t")])
    ])
    #expect(saved.words == ["NEW-0 1"])
    let stored =
      #""image":{"value":{"fileChecksum":"\#(checksum)","size":5,"#
      + #""wrappingKey":"AAAAAAAAAAAAAAAAAAAAAA==","referenceChecksum":"\#(checksum)"#
    let tail = #"},"type":"ASSETID"},"text":{"value":"t","type":"STRING"}}"#
    #expect(try await world.modify.contents() == ["NEW-0": "{" + stored + "\"" + tail])
    let row = try #require(try await world.record("NEW-0"))
    let reading = AssetReading(
      world.scope(), seal: world.seal, places: AssetPlaces(baseURL: AssetWorld.base),
      now: world.now)
    let json = String(decoding: try reading.fields(of: row).json, as: UTF8.self)
    let url = "\(AssetWorld.base)/assets/1/\(AssetWorld.container)/development/download/"
    #expect(
      json.hasPrefix("{" + stored + #"","downloadURL":"\#(url)"#) && json.hasSuffix("\"" + tail))
    guard case .asset(let read)? = try reading.fields(of: row).fields()["image"]?.value else {
      Issue.record("no asset")
      return
    }
    let download = try AssetDownload(
      opening: AssetWorld.sealed(read.downloadURL ?? ""), container: AssetWorld.container,
      environment: .development, seal: world.seal, now: world.now + AssetLimits.downloadLife - 1)
    #expect(download == AssetDownload(scope: world.scope(), file: try AssetWorld.file("hello")))
  }

  @Test func `records without assets are read as the bytes that are stored`() async throws {
    let world = try await AssetWorld()
    var row = Samples.row("a")
    row.fields = FieldBytes(checked: Array("not looked at".utf8))
    let reading = AssetReading(
      world.scope(), seal: world.seal, places: AssetPlaces(baseURL: ""), now: 0)
    #expect(try reading.fields(of: row) == row.fields)
  }

  @Test func `a place is good for its time, container and environment`() async throws {
    let world = try await AssetWorld()
    let entries = try await world.places([AssetField(recordType: "Note", fieldName: "image")])
    guard case .token(let token)? = entries.first else {
      Issue.record("\(entries)")
      return
    }
    let sealed = AssetWorld.sealed(token.url)
    func open(
      _ text: String, _ container: String, _ environment: SchemaEnvironment, _ late: Int64
    ) throws -> AssetTicket {
      try AssetTicket(
        opening: text, container: container, environment: environment, seal: world.seal,
        now: world.now + late)
    }
    let ticket = try open(sealed, AssetWorld.container, .development, AssetLimits.uploadLife - 1)
    #expect(
      ticket
        == AssetTicket(
          scope: world.scope(), zone: "Notes", recordName: "NEW-0", recordType: "Note",
          fieldName: "image", user: "_ann"))
    let receipt = ticket.response(for: try AssetWorld.file("x"), seal: world.seal, now: 0).file
    for (text, container, environment, late): (String, String, SchemaEnvironment, Int64) in [
      (sealed, AssetWorld.container, .development, AssetLimits.uploadLife),
      (sealed, "iCloud.other", .development, 0), (sealed, AssetWorld.container, .production, 0),
      (receipt.receipt ?? "", AssetWorld.container, .development, 0),
      ("", AssetWorld.container, .development, 0),
    ] {
      let failure = #expect(throws: RequestFailure.self) {
        try open(text, container, environment, late)
      }
      #expect(failure?.code == .notFound)
    }
  }

  @Test func `places are for fields of assets only, and each token is judged alone`() async throws {
    let world = try await AssetWorld()
    _ = try await world.modify.modify([.op(.create, "a", ["text": .string("t")])])
    let entries = try await world.places([
      AssetField(recordName: "a", recordType: "Note", fieldName: "text"),
      AssetField(recordName: "a", recordType: "Note", fieldName: "new"),
      AssetField(recordName: "a", recordType: "Other", fieldName: "new"),
      AssetField(recordName: "b", recordType: "Other", fieldName: "new"),
      AssetField(recordName: "b", recordType: "Note", fieldName: "___etag"),
      AssetField(recordName: "b", recordType: "Note", fieldName: "not a name"),
      AssetField(recordName: "", recordType: "Note", fieldName: "new"),
      AssetField(recordName: "b", fieldName: "new"),
    ])
    #expect(
      entries.map(\.word) == [
        "a BAD_REQUEST", "a new", "a BAD_REQUEST", "b new", "b BAD_REQUEST", "b BAD_REQUEST",
        " BAD_REQUEST", "b BAD_REQUEST",
      ])
    let production = try await world.places(
      [AssetField(recordName: "a", recordType: "Note", fieldName: "new")], environment: .production)
    #expect(production.map(\.word) == ["a BAD_REQUEST"])
    let tokens = Array(
      repeating: AssetField(recordType: "Note", fieldName: "new"), count: AssetLimits.itemsMax + 1)
    await #expect(throws: RequestFailure.self) { try await world.places(tokens) }
    world.modify.zone = ZoneKey(Samples.ann, "None")
    await #expect(throws: RequestFailure.zoneNotFound("None")) {
      try await world.places([AssetField(recordType: "Note", fieldName: "new")])
    }
    world.modify.zone = ZoneKey(Samples.ann, ZoneIdentity.defaultName)
    #expect(
      try await world.places([AssetField(recordType: "Note", fieldName: "new")]).map(\.word) == [
        "NEW-0 new"
      ])
  }

  @Test func `in the public database places are for those who may save the record`() async throws {
    let world = try await AssetWorld(zone: ZoneKey(.everyone, ZoneIdentity.defaultName))
    _ = try await world.modify.modify([.op(.create, "ann", ["text": .string("t")])])
    let tokens = [
      AssetField(recordName: "ann", recordType: "Note", fieldName: "image"),
      AssetField(recordName: "new", recordType: "Note", fieldName: "image"),
    ]
    #expect(try await world.places(tokens).map(\.word) == ["ann image", "new image"])
    world.modify.user = "_bob"
    #expect(try await world.places(tokens).map(\.word) == ["ann ACCESS_DENIED", "new image"])
    world.modify.user = nil
    #expect(
      try await world.places(tokens).map(\.word) == ["ann ACCESS_DENIED", "new ACCESS_DENIED"])
  }
}

extension AssetUploadResponse.Entry {
  /// The entry in words.
  var word: String {
    switch self {
    case .token(let token): return "\(token.recordName) \(token.fieldName)"
    case .failure(let failure):
      guard case .record(let name) = failure.subject else { return "?" }
      return "\(name) \(failure.failure.code.rawValue)"
    }
  }
}
