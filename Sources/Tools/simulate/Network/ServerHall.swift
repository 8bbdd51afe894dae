import DataModel
import RecordServer
import RecordWire
import SyncClient

/// A real server core for all devices, whose user is the same.
final class ServerHall {
  static let user = "_sim"

  private let options: WorldOptions
  let names: WorldNames
  let clock: WorldClock
  private(set) var storage: MemoryStorage
  /// What was kept of it some time ago.
  private var backup: MemoryStorage?
  private let environment: SchemaEnvironment
  /// The files of records; nil only where no seal can be made.
  private let assets: MemoryAssets?
  private(set) var service: RecordService
  private var count = 0

  init(_ options: WorldOptions, _ clock: WorldClock) async throws {
    self.options = options
    self.clock = clock
    names = WorldNames(options.profile)
    storage = MemoryStorage(epoch: options.seed | 1)
    environment = options.features.contains(.promotion) ? .production : .development
    assets = MemoryAssets(
      container: "world", environment, sealKey: [UInt8](repeating: 7, count: Seal.keyBytes))
    service = Self.service(environment, storage, options, assets)
    if environment == .production { try await promote(version: 1) }
  }

  private static func service(
    _ environment: SchemaEnvironment, _ storage: MemoryStorage, _ options: WorldOptions,
    _ assets: MemoryAssets?
  ) -> RecordService {
    var limits = ServiceLimits()
    limits.pageRecordsMax = options.pageRecords
    limits.bulkPageRecordsMax = options.pageRecords
    return RecordService(environment, storage: storage, limits: limits, assets: assets?.setting)
  }

  /// The process ends, and another one begins with the same data.
  func restart() { service = Self.service(environment, storage, options, assets) }

  var hasBackup: Bool { backup != nil }

  /// Keeps what there is now.
  func backUp() { backup = MemoryStorage(copying: storage) }

  /// The server has what was kept, and nothing of what came later but files.
  func restore() {
    guard let backup else { return }
    storage = MemoryStorage(copying: backup)
    restart()
  }

  /// The zones tell that they are others than before.
  func renewEpochs() {
    count += 1
    storage = MemoryStorage(copying: storage, zoneEpoch: UInt64(count))
    restart()
  }

  /// The bytes of a file that records name; nil where nobody has sent them.
  func bytes(of asset: RecordAsset) -> [UInt8]? {
    asset.fileChecksum.flatMap { assets?.bytes(checksum: $0) }
  }

  /// Puts the schema of a version into production.
  func promote(version: Int) async throws {
    let features = options.features
    try await storage.write { transaction in
      let next = try Promotions.shared.stored(
        version: version, features, over: try transaction.schema())
      try transaction.setSchema(next.bytes, version: next.version)
    }
  }

  /// What the server answers.
  func answer(_ call: SyncCall) async -> SyncReply {
    do {
      return SyncReply(status: 200, body: try await body(call))
    } catch let failure as RequestFailure {
      return Forgery.reply(failure)
    } catch {
      return Forgery.reply(RequestFailure(.internalError, reason: "\(error)"))
    }
  }

  private func body(_ call: SyncCall) async throws -> [UInt8] {
    count += 1
    let number = count
    let source = FreshSource(recordName: { "NEW-\(number)" }, epoch: { UInt64(number) << 32 })
    func serviceCall(_ scope: DatabaseScope) -> ServiceCall {
      ServiceCall(scope, caller: RecordCaller(user: Self.user), now: clock.now, source: source)
    }
    switch call.scope {
    case .address(let url):
      guard let assets else { throw RequestFailure.noAssetHere }
      if call.method == .get { return try assets.download(from: url, now: clock.now) }
      return try await assets.upload(call.body, to: url, of: service, now: clock.now).json()
    case .database(let scope):
      return try await service.answer(call.path, serviceCall(scope), body: call.body)
    case .server, .environmentExtension, .databaseExtension:
      if options.extensions == .unknown {
        throw RequestFailure(.notFound, reason: "there is nothing at this path")
      }
      if case .server = call.scope { return try capabilities.json() }
      return try await service.answerExtension(call.path, serviceCall(.private), body: call.body)
    }
  }

  private var capabilities: CapabilitiesResponse {
    var answer = CapabilitiesResponse(
      server: "simulation",
      extensions: ["batch", "pageBytes", "pushTokens", "schemaCheck", "tombstones", "zoneDigest"])
    answer.operationsMax = options.operationsMax
    answer.batchOperationsMax = options.operationsMax
    answer.pageRecordsMax = options.pageRecords
    return answer
  }
}
