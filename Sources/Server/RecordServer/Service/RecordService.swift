public import RecordWire

/// Answers the requests of one container's environment.
///
/// It knows the protocol's operations and nothing of HTTP: bodies come in, bodies go out, and what
/// concerns a whole request is thrown as a `RequestFailure`.
///
/// ```swift
/// let service = RecordService(.development, storage: MemoryStorage(epoch: 1))
/// let body = try await service.answer("records/lookup", call, body: request)
/// ```
public final class RecordService: Sendable {
  /// The environment.
  public let environment: SchemaEnvironment
  /// Where the records are.
  public let storage: any RecordStorage
  /// How much of everything there may be.
  public let limits: ServiceLimits

  /// Where files are; nil for a server without assets.
  public let assets: AssetSetting?

  let schemas: SchemaCache
  private let committed: @Sendable (DatabaseKey) -> Void
  let choresWait: @Sendable () -> Void

  /// Serves an environment out of a storage; `committed` hears of each database that was written to,
  /// and `choresWait` is told when `fillIndexes` or `dropRemains` may have something to do.
  public init(
    _ environment: SchemaEnvironment, storage: any RecordStorage,
    limits: ServiceLimits = ServiceLimits(), assets: AssetSetting? = nil,
    committed: @escaping @Sendable (DatabaseKey) -> Void = { _ in },
    choresWait: @escaping @Sendable () -> Void = {}
  ) {
    self.environment = environment
    self.storage = storage
    self.limits = limits
    self.assets = assets
    self.committed = committed
    self.choresWait = choresWait
    schemas = SchemaCache(environment)
  }

  /// What a request to an operation is answered that the protocol has and this server has not.
  public static func unserved(_ path: String) -> RequestFailure { UnservedOperation.failure(path) }

  /// The answer to a request to the operation at `path`, such as `records/modify`.
  public func answer(
    _ path: String, _ call: ServiceCall, body: [UInt8]
  ) async throws -> [UInt8] {
    try await answer(NamedOperation(path), call, body: body)
  }

  /// The answer to a request to an operation.
  public func answer(
    _ operation: NamedOperation, _ call: ServiceCall, body: [UInt8]
  ) async throws -> [UInt8] {
    try await run(operation.required(), call, body)
  }

  /// What `answer` gives, without waiting; nil where that is not possible, and nothing was done.
  public func answerAtOnce(
    _ operation: NamedOperation, _ call: ServiceCall, body: [UInt8]
  ) throws -> [UInt8]? {
    let operation = try operation.required()
    guard let answer = operation.answerAtOnce else { return nil }
    try operation.check(call)
    do {
      return try answer(OperationContext(service: self, call: call), body)
    } catch {
      throw Self.told(error)
    }
  }

  /// Whether the service answers the extension of the protocol at `path`.
  public static func servesExtension(_ path: String) -> Bool {
    ServedOperation.extensions[path] != nil
  }

  /// The answer to a request to an extension of the protocol, such as `zones/digest`.
  ///
  /// One that is of no database is asked in any.
  public func answerExtension(
    _ path: String, _ call: ServiceCall, body: [UInt8]
  ) async throws -> [UInt8] {
    guard let operation = ServedOperation.extensions[path] else {
      throw UnservedOperation.failure(path)
    }
    return try await run(operation, call, body)
  }

  private func run(
    _ operation: ServedOperation, _ call: ServiceCall, _ body: [UInt8]
  ) async throws -> [UInt8] {
    try operation.check(call)
    do {
      return try await operation.answer(OperationContext(service: self, call: call), body)
    } catch {
      throw Self.told(error)
    }
  }

  /// The error as whoever asks is told of it.
  private static func told(_ error: any Error) -> any Error {
    switch error {
    case let error as WireError: error.requestFailure
    // The zone was deleted between two transactions of the request.
    case StorageFailure.noZone(let zone): RequestFailure.zoneNotFound(zone.name)
    default: error
    }
  }

  /// Runs `body` in a transaction that writes to a database, and tells those who wait for changes.
  func write<Result: Sendable>(
    to database: DatabaseKey,
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result {
    let result = try await storage.write(body)
    committed(database)
    return result
  }

  /// Runs `body` in a transaction that only reads.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (ReadingTransaction) throws -> Result
  ) async throws -> Result {
    try await storage.read { [schemas] in try body(ReadingTransaction($0, schemas)) }
  }

  /// Runs `body` in a transaction that only reads, without waiting; nil where that is not possible.
  func readAtOnce<Result>(_ body: (ReadingTransaction) throws -> Result) throws -> Result? {
    try storage.readAtOnce { try body(ReadingTransaction($0, schemas)) }
  }
}

/// A transaction that only reads, with the schema as it is then.
struct ReadingTransaction {
  let transaction: any StorageTransaction
  private let schemas: SchemaCache

  init(_ transaction: any StorageTransaction, _ schemas: SchemaCache) {
    self.transaction = transaction
    self.schemas = schemas
  }

  /// The schema.
  func schema() throws -> CurrentSchema { try schemas.read(in: transaction) }
}

/// How much there may be of what clients send and of what they get, each limit by its name.
public struct ServiceLimits: Hashable, Sendable {
  /// The most records of one page.
  public var pageRecordsMax = 200
  /// The most records of a page that was asked for by its bytes.
  public var bulkPageRecordsMax = 10_000
  /// The most bytes of fields of one page, unless one record alone has more.
  public var pageBytesMax = 16 << 20
  /// The most live records that one request for digests under a version filter looks at.
  public var filteredDigestRecordsMax = 100_000
  /// The most live records that one request for the records of buckets looks at.
  public var digestedRecordsReadMax = 200_000
  /// The most records of buckets that one answer lists.
  public var digestedRecordsMax = 5_000
  /// The most zones of one page of `changes/database`.
  public var pageZonesMax = 200
  /// The most zones of a private database: Apple's TN3164 gives this number.
  public var zonesMax = 1000
  /// The most bytes that the fields of a private database's records may take.
  public var privateBytesMax: Int64 = 10 << 30
  /// The most bytes that the fields of the public database's records may take.
  public var publicBytesMax: Int64 = 100 << 30
  /// The most bytes that the files of a private database's assets may have.
  public var privateAssetBytesMax: Int64 = 10 << 30
  /// The most bytes that the files of the public database's assets may have.
  public var publicAssetBytesMax: Int64 = 100 << 30
  /// The most records that go with one when it is deleted: Apple gives this number.
  public var deleteSelfSourcesMax = 750
  /// The most references that one request follows for all of its deletions.
  public var cascadeRecordsMax = 10_000

  /// How many records, or zones, one transaction of a chore removes.
  static let choreRecordsMax = 200

  /// The most zones that a request reads of all that a database has: the default zone comes on top.
  var zonesReadMax: Int { zonesMax == .max ? .max : zonesMax + 1 }

  /// The limits of a new server.
  public init() {}
}

extension RequestFailure {
  static let wrongDatabase = RequestFailure(
    .badRequest, reason: "endpoint not applicable in the database type")
  static let noChangesOfDefaultZone = RequestFailure(
    .badRequest, reason: "cannot get changes in default zone")
}
