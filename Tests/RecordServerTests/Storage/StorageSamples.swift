import Foundation
import RecordStorageSQLite
import RecordWire
import Testing

@testable import RecordServer

/// The storages that have to do the same.
enum TestedStorage: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite

  var testDescription: String { rawValue }

  /// A storage without zones, and what has to be kept as long as it is used.
  func make() throws -> (storage: any RecordStorage, folder: ScratchFolder) {
    let folder = try ScratchFolder()
    switch self {
    case .memory: return (MemoryStorage(epoch: 7), folder)
    case .sqlite: return (try SQLiteStorage(at: folder.file("records"), newEpoch: 7), folder)
    }
  }
}

/// A folder that is removed with this value.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "contrail-records-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

extension StorageTransaction {
  /// Deletes a zone, and removes what is left of it.
  func deleteZone(_ key: ZoneKey) throws {
    try deleteZone(key, at: 0)
    while try !dropRemains(limit: 3) {}
  }
}

/// Keys and rows for tests of storages.
enum Samples {
  static let ann = DatabaseKey.user("_ann")
  static let notes = ZoneKey(ann, "Notes")

  static func row(_ name: String, _ text: String = "", isDeleted: Bool = false) -> RecordRow {
    let stamp = RecordStamp(timestamp: 1_700_000_000_000, userRecordName: "_ann")
    return RecordRow(
      name: name, type: "Note", created: stamp, modified: stamp,
      fields: isDeleted
        ? .empty : FieldBytes(checked: Array(#"{"text":{"value":"\#(text)"}}"#.utf8)),
      isDeleted: isDeleted)
  }

  static func write(_ name: String, _ text: String = "", isDeleted: Bool = false) -> RecordWrite {
    RecordWrite(row(name, text, isDeleted: isDeleted))
  }
}

/// What a client that follows a zone has.
struct FollowingClient {
  private(set) var records: [String: FieldBytes] = [:]
  private(set) var token: SyncToken?
  /// The names told in the pass that is under way, each with its number.
  private var told: [String: UInt64] = [:]
  private var last: UInt64 = 0
  private(set) var problems: [String] = []
  private(set) var isFirstPass = true

  /// Takes a page, and notes what should not be in it.
  mutating func take(_ page: FeedPage<RecordRow>) {
    for row in page.elements {
      if row.sequence <= last { problems.append("\(row.name) \(row.sequence) after \(last)") }
      last = row.sequence
      if let earlier = told.updateValue(row.sequence, forKey: row.name), earlier >= row.sequence {
        problems.append("\(row.name) \(row.sequence) twice")
      }
      if row.isDeleted && page.token.firstPull != nil {
        problems.append("tombstone of \(row.name)")
      }
      records[row.name] = row.isDeleted ? nil : row.fields
    }
    token = page.token
    if !page.isMoreComing { told = [:] }
  }
}

/// A storage, and what tests do with it over and over.
struct StorageWorld {
  let storage: any RecordStorage
  private let folder: ScratchFolder

  init(_ kind: TestedStorage) throws { (storage, folder) = try kind.make() }

  func page(_ token: SyncToken?, limit: Int) async throws -> FeedPage<RecordRow> {
    try await storage.read {
      try ZoneFeed(Samples.notes, limit: PageLimit(records: limit)).page(after: token, in: $0)
    }
  }

  func write(_ records: [RecordWrite]) async throws {
    try await storage.write { _ = try $0.write(records, in: Samples.notes) }
  }

  func makeZone(epoch: UInt64 = 1) async throws {
    try await storage.write { _ = try $0.createZone(Samples.notes, epoch: epoch) }
  }

  func contents() async throws -> [[String]] {
    try await storage.read { transaction in
      let zones = try transaction.zones(of: Samples.ann, after: 0, limit: 10)
      let rows = try transaction.changes(
        of: Samples.notes, after: 0, upTo: .max, order: .oldestFirst,
        limit: PageLimit(records: 100), withTombstones: true
      ).rows
      return [zones.map { "\($0)" }, rows.map { "\($0)" }]
    }
  }
}
