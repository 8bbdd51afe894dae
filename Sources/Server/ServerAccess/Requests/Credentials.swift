/// What a request brings along to say who it is from.
public struct Credentials: Hashable, Sendable {
  /// The query's `ckAPIToken`.
  public var apiToken: String?
  /// The query's `ckWebAuthToken`, with percent encoding undone.
  public var webToken: String?
  /// The headers of a server-to-server key; with them no token counts.
  public var signature: RequestSignature?
  /// The header `Origin`, which browsers send.
  public var origin: String?

  /// Describes what a request brings along.
  public init(
    apiToken: String? = nil, webToken: String? = nil, signature: RequestSignature? = nil,
    origin: String? = nil
  ) {
    self.apiToken = apiToken
    self.webToken = webToken
    self.signature = signature
    self.origin = origin
  }
}

/// What a request asks for, as far as it decides who may ask.
public enum AccessScope: String, Hashable, Sendable, CaseIterable {
  /// The public database.
  case everyone = "public"
  /// The caller's private database.
  case user = "private"
  /// What others share with the caller.
  case shared
  /// The users themselves: `users/caller` and its kin.
  case identity = "users"
}

/// How a caller has shown who they are.
public enum CallerKind: String, Hashable, Sendable, CaseIterable {
  /// By an API token, which says nothing about a person.
  case anonymous
  /// By a web token.
  case user
  /// By a signature.
  case key
}

/// Who asks.
public struct Caller: Hashable, Sendable {
  /// How they have shown who they are.
  public var kind: CallerKind
  /// The record name that stands for them here; nil for someone who has not signed in.
  public var recordName: String?
  /// The identifier of the user; nil for keys and for someone who has not signed in.
  public var userID: String?
  /// The roles that they have here.
  public var roles: Set<String>
  /// The public name of the API token, or the key ID.
  public var tokenID: String
  /// The public name of the web token; nil without one.
  public var sessionID: String?

  /// Describes a caller.
  public init(
    kind: CallerKind, recordName: String?, userID: String?, roles: Set<String>, tokenID: String,
    sessionID: String?
  ) {
    self.kind = kind
    self.recordName = recordName
    self.userID = userID
    self.roles = roles
    self.tokenID = tokenID
    self.sessionID = sessionID
  }
}

/// Who asks for something about schemas.
public struct ManagementCaller: Hashable, Sendable {
  /// The public name of the token.
  public var tokenID: String
  /// What the token's maker called it.
  public var name: String
  /// What the token is good for.
  public var scope: ManagementScope
}
