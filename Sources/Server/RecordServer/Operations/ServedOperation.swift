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

/// What an operation works with.
struct OperationContext: Sendable {
  let service: RecordService
  let call: ServiceCall

  var zones: ZoneResolution { ZoneResolution(call: call) }
  var limits: ServiceLimits { service.limits }
}

/// An operation as a row of the table: bytes in, bytes out.
struct ServedOperation: Sendable {
  let path: String
  let databases: Set<DatabaseScope>
  let answer: @Sendable (OperationContext, [UInt8]) async throws -> [UInt8]

  private init<Served: Operation>(_: Served.Type, in databases: Set<DatabaseScope>? = nil) {
    path = Served.path
    self.databases = databases ?? WireEndpoint.at(Served.path)?.databases ?? []
    answer = { context, body in
      let request = try Served.Request(json: body)
      return try await Served.answer(request, context).json()
    }
  }

  /// Every operation that is served.
  static let rows: [ServedOperation] = [
    ServedOperation(LookupRecords.self),
    ServedOperation(QueryRecords.self),
    ServedOperation(ModifyRecords.self),
    ServedOperation(RecordChanges.self),
    ServedOperation(ZoneChanges.self),
    ServedOperation(DatabaseChanges.self),
    ServedOperation(UploadAssets.self),
    ServedOperation(RereferenceAssets.self),
    ServedOperation(ListZones.self),
    ServedOperation(LookupZones.self),
    ServedOperation(ModifyZones.self),
    ServedOperation(CurrentUser.self),
    ServedOperation(CallingUser.self),
    ServedOperation(DiscoverUsers.self),
  ]

  /// What is served beyond the protocol, by its path.
  static let extensions = Dictionary(
    [
      ServedOperation(CheckSchema.self, in: Set(DatabaseScope.allCases)),
      ServedOperation(DigestZones.self, in: [.private, .shared]),
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
