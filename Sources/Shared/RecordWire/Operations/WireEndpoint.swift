/// Which of a container's databases.
public enum DatabaseScope: String, Hashable, Sendable, CaseIterable {
  /// Everybody's.
  case `public`
  /// A user's own.
  case `private`
  /// What others share with a user.
  case shared
}

/// One operation of the protocol: where it is, and what goes there and comes back.
public struct WireEndpoint: Sendable {
  /// A way to ask.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
  }

  /// The last two parts of the path: `records/modify`.
  public let path: String
  /// How clients ask; our client uses the first.
  public let methods: [Method]
  /// The databases that it is valid in.
  public let databases: Set<DatabaseScope>
  /// What goes there.
  public let request: any WireRequest.Type
  /// What comes back unless all of it failed.
  public let response: any WireResponse.Type
}

extension WireEndpoint {
  /// Every operation.
  ///
  /// Lists may be asked for by either method, for clients do both.
  public static let rows: [WireEndpoint] = [
    row("records/modify", everywhere, ModifyRequest.self, RecordsResponse.self),
    row("records/query", everywhere, QueryRequest.self, RecordsResponse.self),
    row("records/lookup", everywhere, LookupRequest.self, RecordsResponse.self),
    row("records/changes", ofUsers, RecordChangesRequest.self, RecordChangesResponse.self),
    row("changes/zone", ofUsers, ZoneChangesRequest.self, ZoneChangesResponse.self),
    row("changes/database", ofUsers, DatabaseChangesRequest.self, DatabaseChangesResponse.self),
    row("zones/list", everywhere, EmptyRequest.self, ZonesResponse.self, [.get, .post]),
    row("zones/lookup", everywhere, ZoneLookupRequest.self, ZonesResponse.self),
    row("zones/modify", [.private], ZoneModifyRequest.self, ZonesResponse.self),
    row("zones/changes", ofUsers, ZonesChangesRequest.self, ZonesChangesResponse.self),
    row("assets/upload", everywhere, AssetUploadRequest.self, AssetUploadResponse.self),
    row(
      "assets/rereference", everywhere, AssetRereferenceRequest.self,
      AssetRereferenceResponse.self),
    row("users/current", [.public], EmptyRequest.self, UserIdentity.self, [.get, .post]),
    row("users/caller", [.public], EmptyRequest.self, UserIdentity.self, [.get, .post]),
    row("users/discover", [.public], UserDiscoverRequest.self, UsersResponse.self),
  ]

  /// The operation with that path; nil when there is none.
  public static func at(_ path: String) -> WireEndpoint? { rowsByPath[path] }

  private static let rowsByPath = Dictionary(rows.map { ($0.path, $0) }) { first, _ in first }
  private static let everywhere = Set(DatabaseScope.allCases)
  private static let ofUsers: Set<DatabaseScope> = [.private, .shared]

  private static func row(
    _ path: String, _ databases: Set<DatabaseScope>, _ request: any WireRequest.Type,
    _ response: any WireResponse.Type, _ methods: [Method] = [.post]
  ) -> WireEndpoint {
    WireEndpoint(
      path: path, methods: methods, databases: databases, request: request, response: response)
  }
}
