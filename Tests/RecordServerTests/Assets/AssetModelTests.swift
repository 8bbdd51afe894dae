import DataModel
import Foundation
import RecordWire
import SchemaGenerator
import Testing

@testable import AssetFiles
@testable import RecordServer

/// Random saves, deletions and sweeps, against a model of which files have to be there.
@Suite struct AssetModelTests {
  @Test(arguments: TestedStorage.allCases, UInt64(1)...6)
  func `no sweep takes a file that a record has, and every sweep takes all others in time`(
    kind: TestedStorage, seed: UInt64
  ) async throws {
    let walk = try await AssetWalk(kind, seed: seed)
    for step in 0..<100 {
      try await walk.step()
      try await walk.check("seed \(seed), step \(step)")
    }
    try await walk.end("seed \(seed), end")
  }
}

/// A walk through a zone with assets: each text is the content of a file.
private final class AssetWalk {
  private struct Stop: Error {}

  private let world: AssetWorld
  private let folder: AssetFolder
  private let scratch: ScratchFolder
  private var random: SeededGenerator

  private static let texts = (0..<7).map { "text \($0)" }
  private static let names = (0..<5).map { "r\($0)" }

  /// Which texts the records have.
  private var records: [String: Set<String>] = [:]
  /// Until when a text may be used by some receipt.
  private var kept: [String: Int64] = [:]
  private var receipts: [String: RecordAsset] = [:]
  private var wasSwept = false
  /// How many files sweeps have removed.
  private(set) var removed = 0

  init(_ kind: TestedStorage, seed: UInt64) async throws {
    world = try await AssetWorld(kind)
    scratch = try ScratchFolder()
    folder = try AssetFolder(at: scratch.file("assets"))
    random = SeededGenerator(seed: seed)
  }

  private func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  /// All goes, and all files with it.
  func end(_ comment: Comment) async throws {
    try await upload(Self.texts[0])
    try await deleteZone()
    world.modify.time += AssetLimits.receiptLife + 1
    try await sweep()
    try await check(comment)
    #expect(removed > 0, comment)
    #expect(try AssetFolderTests.files(folder) == [], comment)
  }

  func step() async throws {
    wasSwept = false
    switch pick(12) {
    case 0, 1, 2: try await upload(Self.texts[pick(Self.texts.count)])
    case 3, 4, 5: try await save(Self.names[pick(Self.names.count)])
    case 6: try await delete(Self.names[pick(Self.names.count)])
    case 7: try await rereference(Self.names[pick(Self.names.count)])
    case 8: try await failingCommit()
    case 9: world.modify.time += Int64(pick(Int(AssetLimits.receiptLife)))
    case 10 where pick(4) == 0: try await deleteZone()
    default: try await sweep()
    }
  }

  private func upload(_ text: String) async throws {
    let file = try await AssetFolderTests.store(text, in: folder)
    #expect(file == (try AssetWorld.file(text)))
    let quota = AssetQuota(world.modify.zone.database, bytesMax: .max)
    try await folder.keep(file, within: quota, in: world.storage, now: world.now)
    let receipt = AssetReceipt(scope: world.scope(), user: world.modify.user, file: file)
    receipts[text] = receipt.asset(world.seal, now: world.now)
    keep(text)
  }

  private func keep(_ text: String) { kept[text] = max(kept[text] ?? 0, world.now) }

  /// Saves some texts; with receipts that may have expired, or whose files are gone.
  private func save(_ name: String) async throws {
    let wanted = Set((0..<pick(3)).map { _ in Self.texts[pick(Self.texts.count)] })
    let isUpdate = pick(2) == 0
    var fields: RecordFields = [:]
    for text in wanted {
      fields["f\(text.suffix(1))"] = RecordField(.asset(try asset(text)))
    }
    let time = world.now + 1000
    let isValid = try wanted.allSatisfy { text in
      if records[name]?.contains(text) == true { return true }
      // A text is kept from the moment on at which its last receipt was made.
      guard receipts[text] != nil, let issued = kept[text] else { return false }
      let isThere = folder.size(of: try address(text)) != nil
      return isThere && time < issued + AssetLimits.receiptLife
    }
    let outcome = try await world.modify.modify([
      .op(isUpdate ? .forceUpdate : .forceReplace, name, fields)
    ])
    #expect(outcome.words.first?.contains("BAD_REQUEST") == !isValid)
    guard isValid else { return }
    records[name] = isUpdate ? (records[name] ?? []).union(wanted) : wanted
  }

  private func asset(_ text: String) throws -> RecordAsset {
    try receipts[text] ?? RecordAsset(stored: AssetWorld.file(text))
  }

  private func address(_ text: String) throws -> AssetAddress { try AssetWorld.file(text).address }

  private func delete(_ name: String) async throws {
    _ = try await world.modify.modify([.op(.forceDelete, name, type: nil)])
    records[name] = nil
  }

  private func rereference(_ name: String) async throws {
    guard let text = records[name]?.sorted().first else { return }
    let field = AssetField(recordName: name, fieldName: "f\(text.suffix(1))")
    receipts[text] = try await world.rereference([field]).first
    keep(text)
  }

  /// Takes everything away, and fails before that is committed.
  private func failingCommit() async throws {
    let zone = world.modify.zone
    await #expect(throws: Stop.self) {
      try await world.storage.write { transaction in
        try transaction.deleteZone(zone)
        _ = try transaction.forgetAssets(keptBefore: .max, limit: 100)
        throw Stop()
      }
    }
  }

  private func deleteZone() async throws {
    let (zone, epoch) = (world.modify.zone, random.next())
    try await world.storage.write { transaction in
      try transaction.deleteZone(zone)
      _ = try transaction.createZone(zone, epoch: epoch)
    }
    records = [:]
  }

  private func sweep() async throws {
    removed += try await AssetSweep(world.storage, folder).run(now: world.now).forgotten
    wasSwept = true
  }

  /// Holds the files against the model.
  func check(_ comment: Comment) async throws {
    let used = records.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for text in used {
      let bytes = try folder.read(try address(text), 0..<100)
      #expect(bytes == Array(text.utf8), "\(text), \(comment)")
    }
    let stored = try await world.modify.contents()
    #expect(Set(stored.keys) == Set(records.keys), comment)
    for (name, json) in stored {
      let fields = try FieldBytes(checked: Array(json.utf8)).fields()
      let files = fields.entries.flatMap { $0.field.value.assets }.compactMap(\.storedFile)
      #expect(
        Set(files) == Set(try (records[name] ?? []).map { try AssetWorld.file($0) }), comment)
    }
    guard wasSwept else { return }
    let young = kept.filter { $0.value >= AssetLimits.oldest(now: world.now) }.keys
    let expected = try used.union(young).map { try AssetWorld.file($0).address.hexadecimal }
    let found = try AssetFolderTests.files(folder).map { String($0.dropFirst(3)) }
    #expect(found.sorted() == expected.sorted(), comment)
  }
}
