import RecordWire

/// One operation of the protocol: what it does with a request.
protocol Operation: SendableMetatype {
  associatedtype Request: WireRequest
  associatedtype Response: WireResponse

  /// Where it is: `records/modify`.
  static var path: String { get }
  /// The answer to a request.
  static func answer(_ request: Request, _ context: OperationContext) async throws -> Response
}

/// An operation that reads at one moment, and waits for nothing else.
protocol ReadingOperation: Operation {
  // NB: once more, since the compiler finds out what they are from what the protocol itself asks for.
  associatedtype Request
  associatedtype Response

  /// The answer to a request.
  static func answer(
    _ request: Request, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> Response
}

extension ReadingOperation {
  static func answer(_ request: Request, _ context: OperationContext) async throws -> Response {
    try await context.service.read { try answer(request, context, in: $0) }
  }
}

/// What an operation works with.
struct OperationContext: Sendable {
  let service: RecordService
  let call: ServiceCall

  var zones: ZoneResolution { ZoneResolution(call: call) }
  var limits: ServiceLimits { service.limits }
}

/// An operation as a row of the table: bytes in, bytes out.
final class ServedOperation: Sendable {
  let path: String
  let databases: Set<DatabaseScope>
  let answer: @Sendable (OperationContext, [UInt8]) async throws -> [UInt8]
  /// The same without waiting; it gives nil where the storage makes it wait.
  let answerAtOnce: (@Sendable (OperationContext, [UInt8]) throws -> [UInt8]?)?

  private convenience init<Served: Operation>(
    _: Served.Type, in databases: Set<DatabaseScope>? = nil
  ) {
    self.init(Served.self, in: databases, atOnce: nil)
  }

  private convenience init<Served: ReadingOperation>(
    reading _: Served.Type, in databases: Set<DatabaseScope>? = nil
  ) {
    self.init(Served.self, in: databases) { context, body in
      let request = try Served.Request(json: body)
      return try context.service.readAtOnce { try Served.answer(request, context, in: $0) }?.json()
    }
  }

  private init<Served: Operation>(
    _: Served.Type, in databases: Set<DatabaseScope>?,
    atOnce: (@Sendable (OperationContext, [UInt8]) throws -> [UInt8]?)?
  ) {
    path = Served.path
    self.databases = databases ?? WireEndpoint.at(Served.path)?.databases ?? []
    answer = { context, body in
      let request = try Served.Request(json: body)
      return try await Served.answer(request, context).json()
    }
    answerAtOnce = atOnce
  }

  /// Refuses a call about a database that the operation is not for.
  func check(_ call: ServiceCall) throws(RequestFailure) {
    guard databases.contains(call.scope) else { throw .wrongDatabase }
  }

  /// Every operation that is served.
  static let rows: [ServedOperation] = [
    ServedOperation(reading: LookupRecords.self),
    ServedOperation(reading: QueryRecords.self),
    ServedOperation(ModifyRecords.self),
    ServedOperation(reading: RecordChanges.self),
    ServedOperation(reading: ZoneChanges.self),
    ServedOperation(reading: DatabaseChanges.self),
    ServedOperation(reading: UploadAssets.self),
    ServedOperation(RereferenceAssets.self),
    ServedOperation(reading: ListZones.self),
    ServedOperation(reading: LookupZones.self),
    ServedOperation(ModifyZones.self),
    ServedOperation(reading: OlderDatabaseChanges.self),
    ServedOperation(CurrentUser.self),
    ServedOperation(CallingUser.self),
    ServedOperation(DiscoverUsers.self),
  ]

  /// What is served beyond the protocol, by its path.
  static let extensions = Dictionary(
    [
      ServedOperation(reading: CheckSchema.self, in: Set(DatabaseScope.allCases)),
      ServedOperation(reading: DigestZones.self, in: [.private, .shared]),
    ].map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

  /// The operation at `path`; nil when there is none.
  static func at(_ path: String) -> ServedOperation? { rowsByPath[path] }

  private static let rowsByPath = Dictionary(rows.map { ($0.path, $0) }) { first, _ in first }
}

/// Operations of the protocol that this server does not have, and what it says to them.
enum UnservedOperation {
  /// What stands behind an operation, by its path.
  private static let rows: [String: String] = [
    "records/resolve": "sharing", "records/accept": "sharing",
    "subscriptions/list": "subscriptions", "subscriptions/lookup": "subscriptions",
    "subscriptions/modify": "subscriptions",
    "tokens/create": "push notifications", "tokens/register": "push notifications",
    "users/lookup/email": "looking up users", "users/lookup/id": "looking up users",
    "users/lookup/contacts": "looking up users",
  ]

  /// Whether the protocol has the operation.
  static func knows(_ path: String) -> Bool { rows[path] != nil }

  /// The answer to a request that nothing serves.
  static func failure(_ path: String) -> RequestFailure {
    guard let feature = rows[path] else {
      return RequestFailure(.notFound, reason: "there is no operation '\(path.prefix(64))'")
    }
    return RequestFailure(.badRequest, reason: "this server does not offer \(feature)")
  }
}
