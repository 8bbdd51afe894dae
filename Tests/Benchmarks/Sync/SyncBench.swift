import CommandKit
import DataModel
import FoundationEssentials
import Glibc
import HTTPTransport
import ObjectStore
import RecordWire
import SchemaFormats
import ServerFloors
import StoreFloors
import SyncClient
import SyncCore

/// What the rows of the sync suite work with: a server, stores to copy, and engines.
final class SyncBench {
  /// How many records a full push or pull is about.
  static let recordsMax = 1_000_000
  /// How many there are in a store that is small.
  static let smallCount = 1_000
  /// How often a store's lease is tried for, a hundredth of a second apart.
  private static let leaseAttempts = 100

  let recordCount: Int
  private let folder: TemporaryFolder
  /// A server that has the schema of the records already, without indexes: sync needs none, and each costs
  /// more than the record.
  private(set) lazy var server = Result {
    let server = try RecordServerProcess(in: path("recordd"))
    try importSchema(server)
    return server
  }
  private var zoneCount = 0
  private var mirrors: [Int: Mirror] = [:]

  init(_ runner: Runner) throws {
    recordCount = runner.size(Self.recordsMax)
    folder = try TemporaryFolder()
  }

  func path(_ name: String) -> String { folder.path(name) }

  private func importSchema(_ server: RecordServerProcess) throws {
    let store = try Store(at: .memory, schema: ItemModel.schema)
    var schema = try ObjectRecords(store.layout, .native).mapping.schema
    for type in schema.types.indices where schema.types[type].name != RecordSchema.usersType.name {
      for field in schema.types[type].fields.indices {
        schema.types[type].fields[field].indexes = []
      }
    }
    try server.importSchema(CKDB.text(of: schema))
  }

  /// A zone that nobody has used.
  func freshZone() -> ZoneIdentity {
    zoneCount += 1
    return ZoneIdentity(name: "Sync\(zoneCount)")
  }

  func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-sync.lock"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// A store with `count` objects that nothing is synced with.
  func filledStore(_ count: Int) throws -> String {
    let path = path("filled-\(count).sqlite")
    if FileManager.default.fileExists(atPath: path) { return path }
    guard let rows = floor_make_rows(Int64(count)) else { throw FloorFailure(code: ENOMEM) }
    defer { floor_free(rows) }
    try insert(count, from: rows, into: StoreWork.open(path))
    return path
  }

  private func insert(
    _ count: Int, from rows: UnsafeMutablePointer<floor_row>, into store: Store
  ) throws {
    var next = 0
    try store.insertBatch(ItemModel.self) { row in
      guard next < count else { return false }
      ItemModel.fill(&row, from: rows[next])
      next += 1
      return true
    }
  }

  /// Gives `body` the path of a copy of a store that is let go afterwards.
  func withCopy<Result>(of path: String, _ body: (String) throws -> Result) throws -> Result {
    let copy = self.path("copy-\(UUID().uuidString).sqlite")
    defer { remove(copy) }
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return try body(copy)
  }

  /// A file that is not there yet, and is removed afterwards.
  func withFreshFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = self.path("fresh-\(UUID().uuidString).sqlite")
    defer { remove(path) }
    return try body(path)
  }
}

extension SyncBench {
  /// A store and the zone that has the same records.
  struct Mirror {
    var path: String
    var zone: ZoneIdentity
  }

  /// A store with `count` objects that are all on the server.
  func mirror(_ count: Int) throws -> Mirror {
    if let mirror = mirrors[count] { return mirror }
    let mirror = Mirror(path: path("mirror-\(count).sqlite"), zone: freshZone())
    try FileManager.default.copyItem(atPath: try filledStore(count), toPath: mirror.path)
    _ = try sync(StoreWork.open(mirror.path), mirror.zone)
    mirrors[count] = mirror
    return mirror
  }

  /// An engine for a store, and what counts what it exchanges.
  func engine(
    _ store: Store, _ zone: ZoneIdentity
  ) throws -> (engine: SyncEngine, traffic: CountingTransport) {
    let server = try server.get()
    let url = "http://127.0.0.1:\(server.port)"
    let endpoint = RecordEndpoint(
      server: url, container: RecordServerProcess.container, environment: "development",
      apiToken: server.apiToken, userToken: server.webToken)
    var settings = HTTPClientConfiguration()
    settings.usesProxyOfEnvironment = false
    let traffic = CountingTransport(HTTPRecordTransport(endpoint, client: try HTTPClient(settings)))
    let configuration = SyncConfiguration(
      server: url, container: RecordServerProcess.container, environment: "development", zone: zone)
    // The engine before may not be let go yet.
    for _ in 0..<Self.leaseAttempts {
      do {
        return (try SyncEngine(store, configuration, transport: traffic), traffic)
      } catch let error as SyncError where error.code == .busy {
        usleep(10_000)
      }
    }
    return (try SyncEngine(store, configuration, transport: traffic), traffic)
  }

  /// One whole pass; throws unless everything was exchanged.
  @discardableResult
  func sync(_ store: Store, _ zone: ZoneIdentity) throws -> (SyncSummary, CountingTransport) {
    let (engine, traffic) = try engine(store, zone)
    return (try sync(engine), traffic)
  }

  /// One whole pass of an engine.
  @discardableResult
  func sync(_ engine: SyncEngine) throws -> SyncSummary {
    let summary = try Blocking.run { () async -> Result<SyncSummary, any Error> in
      do { return .success(try await engine.sync()) } catch { return .failure(error) }
    }.get()
    guard summary.outcome == .complete, summary.pending + summary.failed + summary.parked == 0
    else {
      throw BenchFailure("a pass did not exchange everything: \(summary)")
    }
    return summary
  }
}
