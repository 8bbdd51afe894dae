/// Says who calls, and whether they may ask for what they ask for.
///
/// A token that was seen before costs a digest and a look-up in memory. What another process takes away
/// in the file is taken away here a second later at most, by the clock that is passed in.
///
/// ```swift
/// let caller = try authentication.authenticate(
///   credentials, in: place, scope: .everyone, now: now)
/// ```
public final class Authentication: Sendable {
  /// The file of users, tokens and keys.
  public let accounts: AccountFile

  let apiTokens: LookupCache<Digest256, KnownAPIToken>
  let sessions: LookupCache<Digest256, KnownSession>
  let keys: LookupCache<String, KnownKey>
  let managementTokens: LookupCache<Digest256, ManagementToken>
  let renewals = RenewalQueue()

  /// Works with `accounts`.
  public init(_ accounts: AccountFile) {
    self.accounts = accounts
    apiTokens = LookupCache()
    sessions = LookupCache()
    keys = LookupCache()
    managementTokens = LookupCache()
  }

  /// An API token with what is needed for each request, and made once.
  ///
  /// A class, since every request gets it and copying all of its parts costs more than using them.
  final class KnownAPIToken: Sendable {
    let token: APIToken
    /// Someone who has only this token.
    let anonymous: Caller

    init(token: APIToken, anonymous: Caller) {
      self.token = token
      self.anonymous = anonymous
    }
  }

  struct KnownSession: Sendable {
    var session: WebSession
    var recordName: String
    var roles: Set<String>
  }

  struct KnownKey: Sendable {
    var place: ContainerPlace
    var publicKey: PublicKey
    var caller: Caller
  }
}

extension Authentication {
  /// Who calls; throws when they cannot ask for anything in `scope`.
  public func authenticate(
    _ credentials: Credentials, in place: ContainerPlace, scope: AccessScope, now: Int64
  ) throws(AccessFailure) -> Caller {
    let generation = try generation(now: now)
    let caller =
      if let signature = credentials.signature {
        try key(signature, place, generation, now)
      } else {
        try holder(of: credentials, place, generation, now)
      }
    switch AccessMatrix.answer(caller.kind, scope) {
    case .allowed: return caller
    case .needsUser: throw .authenticationRequired(apiTokenID: caller.tokenID)
    case .denied: throw .accessDenied(.keyOutsidePublic)
    }
  }

  /// Whether a browser may be told that pages of `origin` can use this API token: the question of CORS.
  public func allowsOrigin(
    _ origin: String, apiToken: String, in place: ContainerPlace, now: Int64
  ) throws(AccessFailure) -> Bool {
    let known = try knownAPIToken(apiToken, place, try generation(now: now))
    return known.token.origins.allows(origin)
  }

  func generation(now: Int64) throws(AccessFailure) -> Int64 {
    do { return try accounts.currentGeneration(now: now) } catch { throw .unavailable(error) }
  }

  /// Who holds the tokens.
  private func holder(
    of credentials: Credentials, _ place: ContainerPlace, _ generation: Int64, _ now: Int64
  ) throws(AccessFailure) -> Caller {
    guard let text = credentials.apiToken else { throw .authenticationFailed }
    let known = try knownAPIToken(text, place, generation)
    guard known.token.origins.allows(credentials.origin) else { throw .accessDenied(.origin) }
    guard let webToken = credentials.webToken else { return known.anonymous }
    guard let session = try session(webToken, place, generation, now) else {
      // Whoever had a user's token is sent to the sign-in, whatever is wrong with it.
      throw .authenticationRequired(apiTokenID: known.token.id)
    }
    return Caller(
      kind: .user, recordName: session.recordName, userID: session.session.user,
      roles: session.roles, tokenID: known.token.id, sessionID: session.session.id)
  }

  private func knownAPIToken(
    _ text: String, _ place: ContainerPlace, _ generation: Int64
  ) throws(AccessFailure) -> KnownAPIToken {
    guard let digest = TokenKind.api.digest(text),
      let known = try lookUp(apiTokens, digest, generation, { try Self.readAPIToken($0, digest) }),
      known.token.place == place
    else { throw .authenticationFailed }
    return known
  }

  /// What a web token stands for in a place; nil for one that is unknown, has ended, or is for another.
  func session(
    _ text: String, _ place: ContainerPlace, _ generation: Int64, _ now: Int64
  ) throws(AccessFailure) -> KnownSession? {
    guard let digest = TokenKind.web.digest(text),
      let known = try lookUp(sessions, digest, generation, { try self.readSession($0, digest) }),
      known.session.place == place, now < known.session.expires
    else { return nil }
    return known
  }

  private func key(
    _ signature: RequestSignature, _ place: ContainerPlace, _ generation: Int64, _ now: Int64
  ) throws(AccessFailure) -> Caller {
    guard signature.isFresh(now: now), signature.keyID.utf8.count <= TokenKind.textBytesMax,
      let known = try lookUp(
        keys, signature.keyID, generation, { try self.readKey($0, signature.keyID) }),
      known.place == place, signature.isSigned(by: known.publicKey)
    else { throw .authenticationFailed }
    return known.caller
  }
}
