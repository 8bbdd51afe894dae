import ChildPrograms
import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// Kills a process that saves, again and again, at any moment.
@Suite(.serialized) struct KillTests {
  /// How often each kind is killed; all together more than a hundred times.
  static let kills = 60
  /// How many of them hit the same store.
  static let killsPerStore = 10

  @Test(arguments: [StoreKind.sqlite, .binary, .xml])
  func `after a kill all that was acknowledged is there, and nothing by halves`(
    kind: StoreKind
  ) throws {
    var random = SplitMix(state: 42 + UInt64(kind.rawValue.utf8.count))
    var acknowledgedInAll: Int64 = 0
    for _ in 0..<Self.kills / Self.killsPerStore {
      let folder = try TemporaryFolder()
      let path = folder.file("store")
      var saves: Int64 = 0
      for kill in 0..<Self.killsPerStore {
        // The first one of each store may hit the making of it.
        let microseconds = random.next() % (kill == 0 ? 100_000 : 20_000)
        let wanted = kill == 0 ? 0 : Int(random.next() % 3) + 1
        let acknowledged = try run(kind, path, saves, after: wanted, microseconds)
        let found = try look(kind, path)
        #expect(found >= acknowledged, "\(kind) lost a save: \(found) of \(acknowledged)")
        #expect(found <= max(acknowledged, saves) + 1)
        acknowledgedInAll += max(0, acknowledged - saves)
        saves = found
      }
      let left = try folder.names
      #expect(left.allSatisfy { $0.hasPrefix("store") && !$0.hasSuffix(".saving") }, "\(left)")
    }
    // A test that kills before anything happens proves nothing.
    #expect(acknowledgedInAll > Int64(Self.kills) / 2, "\(acknowledgedInAll)")
  }

  /// Lets a process say so many lines, then go on for a while; returns the last save that it acknowledged.
  private func run(
    _ kind: StoreKind, _ path: String, _ saves: Int64, after lines: Int, _ microseconds: UInt64
  ) throws -> Int64 {
    let child = try ChildProgram([Self.writer, kind.rawValue, path, "\(saves)"], output: .pipe)
    var said: [UInt8] = []
    // The first line says that it is open: starting takes longer than many saves.
    while said.filter({ $0 == UInt8(ascii: "\n") }).count < lines {
      let more = child.readSome()
      if more.isEmpty { break }
      said += more
    }
    usleep(UInt32(microseconds))
    child.kill()
    said += child.readText().utf8
    #expect(child.wait() == .signal(SIGKILL), "the writer ended by itself")
    // What was only half said was not acknowledged.
    let lines = String(decoding: said, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    return lines.last.flatMap { Int64($0) } ?? saves
  }

  /// Opens the store as the next program would; returns the number of its last save.
  private func look(_ kind: StoreKind, _ path: String) throws -> Int64 {
    let schema: Schema
    do {
      schema = try Store.facts(at: path).schema
    } catch let error as StoreError {
      // Killed before the store was made.
      #expect([.cannotOpen, .notAStore].contains(error.code), "\(error)")
      return 0
    }
    let store = try Store(at: Store.Location(kind, path: path), schema: schema)
    return try store.read { connection in
      let statement = try connection.prepare(
        """
        SELECT coalesce((SELECT value FROM Counter), 0), (SELECT count(*) FROM Entry), \
        (SELECT count(DISTINCT number) FROM Entry), \
        (SELECT count(*) FROM contrail_transaction), \
        (SELECT count(*) FROM Entry WHERE length(text) < 400 OR counter IS NOT 1)
        """)
      guard try statement.step() else { return 0 }
      let saves = statement.integer(0)
      #expect(statement.integer(1) == saves * 2)
      #expect(statement.integer(2) == saves)
      #expect(statement.integer(3) == saves)
      #expect(statement.integer(4) == 0)
      statement.reset()
      #expect(try connection.textPragma("integrity_check") == "ok")
      return saves
    }
  }

  static let writer = ChildProgram.beside("store-writer")
}

/// Random numbers from a seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
