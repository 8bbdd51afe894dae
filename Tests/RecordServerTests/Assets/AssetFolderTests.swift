import DataModel
import Foundation
import RecordWire
import Synchronization
import Testing

@testable import AssetFiles
@testable import RecordServer

/// Files of assets.
@Suite struct AssetFolderTests {
  let scratch: ScratchFolder
  let folder: AssetFolder

  init() throws {
    scratch = try ScratchFolder()
    folder = try AssetFolder(at: scratch.file("assets"))
  }

  /// The files under the folder, without those of the storage.
  static func files(_ folder: AssetFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.count > 3 }.sorted()
  }

  static func store(_ text: String, in folder: AssetFolder) async throws -> AssetFile {
    let writer = try folder.newFile()
    try writer.append(Array(text.utf8))
    return try await writer.finish()
  }

  @Test func `a file is stored under its digest, and read whole, in ranges and in chunks`()
    async throws
  {
    let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let writer = try folder.newFile()
    try writer.append(Array(bytes[..<70_001]))
    try writer.append([])
    try writer.append(Array(bytes[70_001...]))
    let file = try await writer.finish()
    #expect(file.address.digest == SHA256.digest(bytes) && file.size == 150_000)
    let name = file.address.hexadecimal
    #expect(try Self.files(folder) == ["\(name.prefix(2))/\(name)"])
    #expect(folder.size(of: file.address) == 150_000)
    let reader = try #require(try folder.reader(of: file.address))
    #expect(reader.size == 150_000)
    let counts = try [0, 65_536, 131_072, 149_999, 150_000, .max, -1].map {
      try reader.chunk(at: $0).count
    }
    #expect(counts == [65_536, 65_536, 18_928, 1, 0, 0, 65_536])
    #expect(try reader.chunk(at: 10, upTo: 20) == Array(bytes[10..<20]))
    #expect(try reader.chunk(at: 20, upTo: 10) == [])
    for range: Range<Int64> in [0..<150_000, 65_000..<140_000, 5..<6, 7..<7, 149_990..<200_000] {
      let expected = bytes[
        Int(range.lowerBound)..<min(150_000, max(Int(range.lowerBound), Int(range.upperBound)))]
      #expect(try folder.read(file.address, range) == Array(expected), "\(range)")
    }
    let none = try AssetWorld.file("none").address
    #expect(try folder.read(none, 0..<5) == nil)
    #expect(folder.size(of: none) == nil)
    // Who reads goes on reading.
    folder.remove(file.address)
    #expect(try reader.bytes(149_998..<150_000) == Array(bytes.suffix(2)))
  }

  @Test func `a file that is finished takes no more bytes`() async throws {
    let writer = try folder.newFile()
    try writer.append([1])
    let file = try await writer.finish()
    #expect(throws: AssetFileError.self) { try writer.append([2]) }
    await #expect(throws: AssetFileError.self) { try await writer.finish() }
    #expect(try folder.read(file.address, 0..<9) == [1])
  }

  @Test func `an empty file is a file`() async throws {
    let file = try await folder.newFile().finish()
    #expect(file.size == 0)
    #expect(try folder.read(file.address, 0..<9) == [])
  }

  @Test func `a file that is not finished leaves nothing, and one that is too long is refused`()
    async throws
  {
    do {
      let writer = try folder.newFile()
      try writer.append([1, 2, 3])
      #expect(try Self.files(folder) == ["new/0"])
    }
    #expect(try Self.files(folder) == [])
    let writer = try folder.newFile()
    let part = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<(AssetLimits.fileBytesMax >> 20) { try writer.append(part) }
    let error = #expect(throws: AssetFileError.self) { try writer.append([1]) }
    #expect(error?.code == .tooLarge)
    #expect(try await writer.finish().size == AssetLimits.fileBytesMax)
  }

  @Test func `what unfinished uploads left is removed when the folder is opened`() async throws {
    let file = try await Self.store("kept", in: folder)
    let left = "\(folder.path)/new/left"
    #expect(FileManager.default.createFile(atPath: left, contents: Data([1, 2])))
    let again = try AssetFolder(at: folder.path)
    let name = file.address.hexadecimal
    #expect(try Self.files(again) == ["\(name.prefix(2))/\(name)"])
    #expect(try again.read(file.address, 0..<9) == Array("kept".utf8))
  }

  @Test func `a part of the folder is made by the first file in it`() async throws {
    let manager = FileManager.default
    #expect(try manager.contentsOfDirectory(atPath: folder.path) == ["new"])
    let file = try await Self.store("first", in: folder)
    let part = String(file.address.hexadecimal.prefix(2))
    #expect(
      try manager.contentsOfDirectory(atPath: folder.path).sorted() == [part, "new"].sorted())
    // Parts that were there before are known to a folder that is opened again.
    let again = try AssetFolder(at: folder.path)
    let number = try #require(Int(part, radix: 16))
    #expect(try again.addresses(inPart: number, writtenBefore: .max) == [file.address])
    #expect(try await Self.store("first", in: again) == file)
  }

  @Test func `uploads of the same bytes at the same time end as one file`() async throws {
    let files = try await withThrowingTaskGroup(of: AssetFile.self) { group in
      for _ in 0..<20 {
        group.addTask { [folder] in try await Self.store("the same", in: folder) }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    let name = try AssetWorld.file("the same").address.hexadecimal
    #expect(files == [try AssetWorld.file("the same")])
    #expect(try Self.files(folder) == ["\(name.prefix(2))/\(name)"])
  }

  @Test func `a folder that cannot be made says so`() throws {
    let path = scratch.file("file")
    #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    let error = #expect(throws: AssetFileError.self) { try AssetFolder(at: "\(path)/assets") }
    #expect(error?.code == .cannotOpen)
    #expect(error?.description.contains("\(path)/assets: cannot be made") == true)
  }
}

/// Removing what nobody has.
@Suite struct AssetSweepTests {
  @Test(arguments: TestedStorage.allCases)
  func `a file that the storage never heard of goes when it is a day old`(kind: TestedStorage)
    async throws
  {
    let made = try kind.make()
    let folder = try AssetFolder(at: made.folder.file("assets"))
    let sweep = AssetSweep(made.storage, folder)
    let known = try await AssetFolderTests.store("known", in: folder)
    let orphan = try await AssetFolderTests.store("orphan", in: folder)
    let facts = try FileManager.default.attributesOfItem(atPath: folder.place(orphan.address))
    let written = try #require(facts[.modificationDate] as? Date)
    let expired = Int64(written.timeIntervalSince1970) * 1000 + AssetLimits.receiptLife
    try await folder.keep(
      known, within: AssetQuota(Samples.ann, bytesMax: .max), in: made.storage, now: expired)
    #expect(try await sweep.run(now: expired) == AssetSweep.Outcome())
    #expect(folder.size(of: orphan.address) == 6)
    // Files are as old as whole seconds tell.
    #expect(try await sweep.run(now: expired + 1000) == AssetSweep.Outcome(orphans: 1))
    #expect(folder.size(of: orphan.address) == nil && folder.size(of: known.address) == 5)
  }

  @Test(arguments: TestedStorage.allCases)
  func `a file that went before the storage heard of it has to be uploaded again`(
    kind: TestedStorage
  ) async throws {
    let made = try kind.make()
    let folder = try AssetFolder(at: made.folder.file("assets"))
    let file = try await AssetFolderTests.store("swept", in: folder)
    folder.remove(file.address)
    await #expect(throws: RequestFailure.assetSweptAway) {
      try await folder.keep(
        file, within: AssetQuota(Samples.ann, bytesMax: .max), in: made.storage, now: 5)
    }
    let known = try await made.storage.read { try $0.asset(file.address) }
    #expect(known == nil)
  }
}

/// Sweeps beside those who upload, save and delete.
@Suite struct AssetRaceTests {
  private struct Gone: Error {}
  private static let sweeps = 25

  /// How many sweeps are done.
  private final class SweepCount: Sendable { let sweeps = Atomic<Int>(0) }

  @Test(arguments: TestedStorage.allCases)
  func `a record that was saved has its file, whatever sweeps do meanwhile`(kind: TestedStorage)
    async throws
  {
    let made = try kind.make()
    let (storage, folder) = (made.storage, try AssetFolder(at: made.folder.file("assets")))
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: 1) }
    let done = SweepCount()
    let saves = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        // Everything that no record has is old enough to go at once.
        let sweep = AssetSweep(storage, folder)
        while done.sweeps.load(ordering: .relaxed) < Self.sweeps {
          _ = try await sweep.run(now: AssetLimits.receiptLife + 1)
          done.sweeps.add(1, ordering: .relaxed)
        }
        return 0
      }
      for writer in 0..<4 {
        group.addTask {
          var (saves, round, isOver) = (0, 0, false)
          // The last round comes after the last sweep, and cannot be disturbed.
          while !isOver {
            isOver = done.sweeps.load(ordering: .relaxed) >= Self.sweeps
            saves += try await Self.save("r\(writer)", "text \(round % 3)", storage, folder)
            round += 1
          }
          return saves
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(saves >= 4)
    _ = try await AssetSweep(storage, folder).run(now: AssetLimits.receiptLife + 1)
    #expect(try AssetFolderTests.files(folder) == [])
  }

  /// Uploads a text, saves it, looks for its file, and deletes the record; 0 where a sweep came between
  /// upload and save, as it can for what is too old for a receipt.
  private static func save(
    _ name: String, _ text: String, _ storage: any RecordStorage, _ folder: AssetFolder
  ) async throws -> Int {
    let file = try await AssetFolderTests.store(text, in: folder)
    do {
      // Half of them give sweeps a chance between upload and save.
      let isSplit = name.hasSuffix("1") || name.hasSuffix("3")
      if isSplit {
        try await folder.keep(
          file, within: AssetQuota(Samples.ann, bytesMax: .max), in: storage, now: 0)
      }
      try await storage.write { transaction in
        if !isSplit && folder.size(of: file.address) != nil {
          try transaction.keepAsset(AssetRow(file, keptAt: 0), for: Samples.ann)
        }
        guard try transaction.asset(file.address) != nil else { throw Gone() }
        _ = try transaction.write(
          [RecordWrite(Samples.row(name), assets: [file.address])], in: Samples.notes)
      }
    } catch is RequestFailure {
      return 0
    } catch is Gone {
      return 0
    }
    for _ in 0..<3 {
      #expect(try folder.read(file.address, 0..<100) == Array(text.utf8))
      await Task.yield()
    }
    try await storage.write { transaction in
      _ = try transaction.write([Samples.write(name, isDeleted: true)], in: Samples.notes)
    }
    return 1
  }
}
