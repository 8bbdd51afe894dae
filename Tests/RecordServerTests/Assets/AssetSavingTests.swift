import DataModel
import RecordWire
import Testing

@testable import RecordServer

/// Which assets a save lets in.
@Suite struct AssetSavingTests {
  @Test(arguments: TestedStorage.allCases)
  func `an asset needs a receipt, and an update keeps it until it is dropped`(kind: TestedStorage)
    async throws
  {
    let world = try await AssetWorld(kind)
    let file = try AssetWorld.file("one")
    let asset = try await world.upload("one", to: "a")
    var held = asset
    held.receipt = nil
    let bare = try await world.modify.modify([.op(.create, "a", ["image": .asset(held)])])
    #expect(bare.words == ["a BAD_REQUEST"])
    #expect(
      bare.reasons == [
        "Field 'image': the asset needs a receipt: upload the file, or use assets/rereference"
      ])
    let steps: [(RecordOperation, String)] = [
      (.op(.create, "a", ["image": .asset(asset)]), "a 1"),
      // Other fields change, and the asset stays.
      (.op(.update, "a", type: nil, tag: 1, ["text": .string("t")]), "a 2"),
      // What was read is sent back, with the address that it was given.
      (.op(.replace, "a", type: nil, tag: 2, ["image": .asset(held)]), "a 3"),
      // In another field, or another record, it needs a receipt.
      (.op(.update, "a", type: nil, tag: 3, ["other": .asset(held)]), "a BAD_REQUEST"),
      (.op(.create, "b", ["image": .asset(held)]), "b BAD_REQUEST"),
      (.op(.create, "b", ["image": .asset(asset)]), "b 4"),
    ]
    for (operation, expected) in steps {
      #expect(try await world.modify.modify([operation]).words == [expected])
    }
    #expect(try await world.forget() == [])
    #expect(try await world.record("a")?.hasAssets == true)
    let dropped = try await world.modify.modify([
      .op(.replace, "a", type: nil, tag: 3, ["text": .string("t")]),
      .op(.update, "b", type: nil, tag: 4, ["image": .null]),
    ])
    #expect(dropped.words == ["a 5", "b 6"])
    #expect(try await world.record("a")?.hasAssets == false)
    #expect(try await world.forget() == [file.address])
    let gone = try await world.modify.modify([.op(.create, "c", ["image": .asset(asset)])])
    #expect(gone.words == ["c BAD_REQUEST"])
    #expect(gone.reasons == [RequestFailure.assetGone.reason])
  }

  @Test func `a receipt is good for its file, user, database and time only`() async throws {
    let world = try await AssetWorld()
    let asset = try await world.upload("one", to: "a")
    _ = try await world.upload("two", to: "a")
    func save(_ asset: RecordAsset) async throws -> String {
      let outcome = try await world.modify.modify([.op(.create, "x", ["image": .asset(asset)])])
      return outcome.words.first ?? ""
    }
    func receipt(
      _ change: (inout AssetReceipt) throws -> Void, late: Int64 = 0, seal: Seal? = nil
    ) async throws -> String {
      let (file, scope) = (try AssetWorld.file("one"), world.scope())
      var receipt = AssetReceipt(scope: scope, user: "_ann", file: file)
      try change(&receipt)
      return try await save(receipt.asset(seal ?? world.seal, now: world.now - late))
    }
    var wrong = asset
    wrong.size = 4
    #expect(try await save(wrong) == "x BAD_REQUEST")
    wrong = asset
    wrong.fileChecksum = try AssetWorld.file("two").address.fileChecksum
    #expect(try await save(wrong) == "x BAD_REQUEST")
    wrong = asset
    wrong.receipt = asset.receipt.map { String($0.dropLast()) }
    #expect(try await save(wrong) == "x BAD_REQUEST")
    #expect(try await receipt { $0.user = "_bob" } == "x BAD_REQUEST")
    #expect(try await receipt { $0.user = nil } == "x BAD_REQUEST")
    #expect(try await receipt { $0.scope.container = "iCloud.other" } == "x BAD_REQUEST")
    #expect(try await receipt { $0.scope.environment = .production } == "x BAD_REQUEST")
    #expect(try await receipt { $0.scope.database = .user("_bob") } == "x BAD_REQUEST")
    #expect(try await receipt { $0.scope.database = .everyone } == "x BAD_REQUEST")
    #expect(try await receipt { $0.file = try AssetWorld.file("never") } == "x BAD_REQUEST")
    // A call is a second later than what came before it.
    let late = AssetLimits.receiptLife - 1000
    #expect(try await receipt({ _ in }, late: late) == "x BAD_REQUEST")
    var key = AssetWorld.key
    key[0] ^= 1
    let other = try AssetWorld.seal(key: key)
    #expect(try await receipt({ _ in }, seal: other) == "x BAD_REQUEST")
    world.modify.assets = nil
    #expect(try await save(asset) == "x BAD_REQUEST")
    world.modify.assets = AssetGate(seal: world.seal, container: AssetWorld.container)
    #expect(try await receipt({ _ in }, late: late - 1) == "x 1")
  }

  @Test func `any byte of a receipt changed makes it worthless`() async throws {
    let world = try await AssetWorld()
    let asset = try await world.upload("one", to: "a")
    let bytes = Array((asset.receipt ?? "").utf8)
    #expect(bytes.count > 100)
    for index in bytes.indices {
      var changed = asset
      var text = bytes
      text[index] = text[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      changed.receipt = String(decoding: text, as: UTF8.self)
      let outcome = try await world.modify.modify([.op(.create, "x", ["image": .asset(changed)])])
      #expect(outcome.words == ["x BAD_REQUEST"], "\(index)")
    }
  }

  @Test func `a list holds several assets, each by its own right`() async throws {
    let world = try await AssetWorld()
    let (one, two) = (
      try await world.upload("one", to: "a", "images"),
      try await world.upload("two", to: "a", "images")
    )
    let created = try await world.modify.modify([
      .op(.create, "a", ["images": .list([.asset(one), .asset(one)], of: .asset)])
    ])
    #expect(created.words == ["a 1"])
    var held = one
    held.receipt = nil
    var foreign = two
    foreign.receipt = nil
    let mixed = try await world.modify.modify([
      .op(
        .update, "a", type: nil, tag: 1,
        ["images": .untyped(.array([.asset(two), .asset(held)]))])
    ])
    #expect(mixed.words == ["a 2"])
    #expect(try await world.forget() == [])
    let kept = try await world.modify.modify([
      .op(.update, "a", type: nil, tag: 2, ["images": .list([.asset(foreign)], of: .asset)])
    ])
    #expect(kept.words == ["a 3"])
    #expect(try await world.forget() == [try AssetWorld.file("one").address])
    let late = try await world.modify.modify([
      .op(.update, "a", type: nil, tag: 3, ["images": .list([.asset(held)], of: .asset)])
    ])
    #expect(late.words == ["a BAD_REQUEST"])
  }

  @Test func `a save brings so many files at most, and may keep more`() async throws {
    let world = try await AssetWorld()
    let asset = try await world.upload("one", to: "a", "images")
    func save(_ count: Int, _ name: String) async throws -> [String] {
      let list = RecordValue.list(Array(repeating: .asset(asset), count: count), of: .asset)
      return try await world.modify.modify([.op(.forceUpdate, name, ["images": list])]).words
    }
    #expect(try await save(AssetLimits.filesPerSaveMax + 1, "a") == ["a BAD_REQUEST"])
    #expect(try await save(AssetLimits.filesPerSaveMax, "a") == ["a 1"])
    #expect(try await save(AssetLimits.filesPerSaveMax + 1, "a") == ["a 2"])
  }

  @Test func `who deletes a record needs no receipt for what it is said to have`() async throws {
    let world = try await AssetWorld()
    _ = try await world.modify.modify([.op(.create, "a")])
    let foreign = RecordAsset(stored: try AssetWorld.file("foreign"))
    let outcome = try await world.modify.modify([
      .op(.delete, "a", type: nil, tag: 1, ["image": .asset(foreign)])
    ])
    #expect(outcome.words == ["a deleted 2"])
  }

  @Test func `what an atomic batch would have saved is not kept when it fails`() async throws {
    let world = try await AssetWorld()
    let asset = try await world.upload("one", to: "a")
    let outcome = try await world.modify.modify([
      .op(.create, "a", ["image": .asset(asset)]), .op(.update, "none", type: nil, tag: 1),
    ])
    #expect(outcome.words == ["a ATOMIC_ERROR", "none NOT_FOUND"])
    #expect(try await world.forget() == [try AssetWorld.file("one").address])
  }
}

/// Receipts for what records hold already.
@Suite struct AssetRereferenceTests {
  @Test(arguments: TestedStorage.allCases)
  func `a receipt for a file that a record holds puts it into another record`(kind: TestedStorage)
    async throws
  {
    let world = try await AssetWorld(kind)
    let asset = try await world.upload("one", to: "a")
    _ = try await world.modify.modify([.op(.create, "a", ["image": .asset(asset)])])
    world.modify.time += 10 * AssetLimits.receiptLife
    let field = AssetField(recordName: "a", fieldName: "image")
    let again = try await world.rereference([field, field])
    #expect(again.map(\.fileChecksum) == [asset.fileChecksum, asset.fileChecksum])
    // The first record goes; until the receipt has expired the file stays.
    _ = try await world.modify.modify([.op(.forceDelete, "a", type: nil)])
    let moment = AssetLimits.oldest(now: world.now)
    let forgotten = try await world.storage.write {
      try $0.forgetAssets(keptBefore: moment, limit: 10)
    }
    #expect(forgotten == [])
    let saved = try await world.modify.modify([.op(.create, "b", ["image": .asset(again[0])])])
    #expect(saved.words == ["b 3"])
  }

  @Test func `one field without an asset fails the whole call`() async throws {
    let world = try await AssetWorld()
    let asset = try await world.upload("one", to: "a")
    _ = try await world.modify.modify([
      .op(.create, "a", ["image": .asset(asset), "text": .string("t")]), .op(.create, "deleted"),
    ])
    _ = try await world.modify.modify([.op(.forceDelete, "deleted", type: nil)])
    let good = AssetField(recordName: "a", fieldName: "image")
    for bad in [
      AssetField(recordName: "a", fieldName: "text"), AssetField(recordName: "a", fieldName: "no"),
      AssetField(recordName: "no", fieldName: "image"), AssetField(fieldName: "image"),
      AssetField(recordName: "deleted", fieldName: "image"),
    ] {
      let failure = await #expect(throws: RequestFailure.self) {
        try await world.rereference([good, bad])
      }
      #expect(failure?.code == .badRequest, "\(bad)")
    }
    await #expect(throws: RequestFailure.self) {
      try await world.rereference(Array(repeating: good, count: AssetLimits.itemsMax + 1))
    }
  }

  @Test func `in the public database the record has to be one that the caller may read`()
    async throws
  {
    let world = try await AssetWorld(zone: ZoneKey(.everyone, ZoneIdentity.defaultName))
    let asset = try await world.upload("one", to: "a")
    _ = try await world.modify.modify([.op(.create, "a", ["image": .asset(asset)])])
    world.modify.user = "_bob"
    let field = AssetField(recordName: "a", fieldName: "image")
    let again = try await world.rereference([field])
    #expect(
      try await world.modify.modify([.op(.create, "b", ["image": .asset(asset)])]).words == [
        "b BAD_REQUEST"
      ])
    #expect(
      try await world.modify.modify([.op(.create, "b", ["image": .asset(again[0])])]).words == [
        "b 2"
      ])
    world.modify.schema = try .developing(
      """
      RECORD TYPE Note (image ASSET, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
      """)
    await #expect(throws: RequestFailure.self) { try await world.rereference([field]) }
    world.modify.user = "_ann"
    #expect(try await world.rereference([field]).map(\.size) == [3])
  }
}
