/// Something that this server has beyond the protocol, under a path of its own: where it is, and what
/// goes there and comes back.
///
/// Clients find out by asking for `capabilities`; who never asks loses nothing.
public struct ExtensionEndpoint: Sendable {
  /// The end of the path: `zones/digest`.
  public let path: String
  /// How clients ask; our client uses the first.
  public let methods: [WireEndpoint.Method]
  /// The databases that it is valid in; none for what is of no database, whose path names none.
  public let databases: Set<DatabaseScope>
  /// What goes there; nil where there is nothing to say.
  public let request: (any WireRequest.Type)?
  /// What comes back unless all of it failed.
  public let response: any WireResponse.Type

  /// What all paths begin with; the number is the version of these extensions.
  public static let root = "/contrail/1"

  /// Every extension that is asked with messages.
  public static let rows: [ExtensionEndpoint] = [
    ExtensionEndpoint(
      path: "capabilities", methods: [.get, .post], databases: [], request: nil,
      response: CapabilitiesResponse.self),
    ExtensionEndpoint(
      path: "schema/check", methods: [.post], databases: [], request: SchemaCheckRequest.self,
      response: SchemaCheckResponse.self),
    ExtensionEndpoint(
      path: "zones/digest", methods: [.post], databases: [.private, .shared],
      request: ZoneDigestRequest.self, response: ZoneDigestResponse.self),
  ]

  /// The extension with that path; nil when there is none.
  public static func at(_ path: String) -> ExtensionEndpoint? { rows.first { $0.path == path } }
}

/// How long the lists of extensions may be.
enum ExtensionLimits {
  /// The most record types that one request has checked.
  static let typesMax = 1_000
  /// The most extensions that an answer names.
  static let extensionsMax = 256
}
