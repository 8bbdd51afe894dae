/// The two halves of a container: where developers try things, and what everyone uses.
public enum ContainerEnvironment: String, Hashable, Sendable, CaseIterable {
  case development
  case production
}

/// What may be done with a container's schema over the management API.
public enum ManagementVerb: String, Hashable, Sendable, CaseIterable {
  /// Gives an environment's schema as a `.ckdb` text.
  case export
  /// Says what an import would do.
  case validate
  /// Replaces development by a text.
  case `import`
  /// Says what differs between two schemas.
  case diff
  /// Adds to production what development has beyond it.
  case promote
  /// Makes development what production is, without records.
  case reset
  /// Says who managed the schema.
  case audit
}

/// One operation of the management API: where it is, and what goes there and comes back.
///
/// It is Contrail's own: CloudKit's is not documented. Tokens travel as `Authorization: Bearer`.
public struct ManagementEndpoint: Sendable {
  /// What is done.
  public let verb: ManagementVerb
  /// How it is asked for.
  public let method: WireEndpoint.Method
  /// Whether it may change the schema, so that the token must allow that.
  public let needsWriting: Bool
  /// What goes there; nil where the query says all.
  public let request: (any WireRequest.Type)?
  /// What comes back unless all of it failed.
  public let response: any WireResponse.Type

  /// The last two parts of the path: `schema/import`.
  public var path: String { "schema/\(verb.rawValue)" }

  /// The whole path for a container.
  public func path(of container: String) -> String {
    "\(Self.root)/\(PercentCoding.encoded(container))/\(path)"
  }

  /// What all paths begin with; the number is the version of this API.
  public static let root = "/management/1"
  /// The name of the environment in the query of an export.
  public static let environmentKey = "environment"

  /// Every operation.
  public static let rows: [ManagementEndpoint] = [
    row(.export, .get, nil, SchemaExportResponse.self),
    row(.validate, .post, SchemaTextRequest.self, SchemaPlanResponse.self),
    row(.import, .post, SchemaTextRequest.self, SchemaPlanResponse.self, needsWriting: true),
    row(.diff, .post, SchemaDiffRequest.self, SchemaDiffResponse.self),
    row(.promote, .post, SchemaPromoteRequest.self, SchemaPlanResponse.self, needsWriting: true),
    row(.reset, .post, SchemaResetRequest.self, SchemaPlanResponse.self, needsWriting: true),
    row(.audit, .get, nil, SchemaAuditResponse.self),
  ]

  /// The operation with that path; nil when there is none.
  public static func at(_ path: String) -> ManagementEndpoint? { rows.first { $0.path == path } }

  private static func row(
    _ verb: ManagementVerb, _ method: WireEndpoint.Method, _ request: (any WireRequest.Type)?,
    _ response: any WireResponse.Type, needsWriting: Bool = false
  ) -> ManagementEndpoint {
    ManagementEndpoint(
      verb: verb, method: method, needsWriting: needsWriting, request: request, response: response)
  }
}

/// How long the lists and texts of the management API may be.
enum ManagementLimits {
  /// The most parts of a schema in one list: more than a container's schema may have.
  static let partsMax = 1 << 20
  /// The longest name of a file.
  static let fileNameBytesMax = 4_096
  /// The most rules that one promotion passes over.
  static let rulesMax = 256
}
