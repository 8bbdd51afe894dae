import HTTPServer
import RecordServer
import RecordWire
public import ServerAccess

/// Who is let in: users, tokens and keys, and how often they may ask.
public struct SiteAccess: Sendable {
  /// Says who calls.
  public let authentication: Authentication
  let signIn: SignIn
  let requests: RateLimiter
  let refusals: RateLimiter

  /// Lets in those whom the file knows.
  public init(
    _ authentication: Authentication, signIn: SignIn, requests: RateLimits = .requests,
    refusals: RateLimits = .refusals
  ) {
    self.authentication = authentication
    self.signIn = signIn
    self.requests = RateLimiter(requests)
    self.refusals = RateLimiter(refusals)
  }
}

extension RecordSite {
  /// Who asks, when they may ask for something in `scope` and have not asked too often.
  func caller(
    _ facts: RequestFacts, _ place: Place, _ scope: AccessScope
  ) throws(RequestFailure) -> Caller {
    let now = sources.milliseconds()
    let address = RateKey.address(facts.host)
    try lookAtRefusals(of: address, now)
    let caller: Caller
    do throws(AccessFailure) {
      caller = try access.authentication.authenticate(
        facts.credentials, in: place.forAccess, scope: scope, now: now)
    } catch {
      throw refusal(error, facts, place, now)
    }
    try admit(caller.rateKeys(address: address), now)
    return caller
  }

  /// Refuses before anything is looked up whoever was refused too often; right credentials wait too, for
  /// a guess must not tell by its answer that it was the right one.
  func lookAtRefusals(of address: RateKey, _ now: Int64) throws(RequestFailure) {
    if case .wait(let seconds) = access.refusals.look([address], now: now) {
      throw RequestFailure(.throttled, retryAfter: Int64(seconds))
    }
  }

  /// Counts a request, or says when to come again.
  func admit(_ keys: [RateKey], _ now: Int64) throws(RequestFailure) {
    if case .wait(let seconds) = access.requests.admit(keys, now: now) {
      throw RequestFailure(.throttled, retryAfter: Int64(seconds))
    }
  }

  /// What somebody is told who is not let in; who tries too often is told to wait.
  func refusal(
    _ failure: AccessFailure, _ facts: RequestFacts, _ place: Place?, _ now: Int64
  ) -> RequestFailure {
    let address = facts.host
    if case .authenticationRequired(let tokenID) = failure {
      return RequestFailure(
        .authenticationRequired, redirectURL: signInURL(apiTokenID: tokenID, facts.origin))
    }
    if case .unavailable(let error) = failure {
      log.event(.error, "accounts", ["id": .text(facts.id), "detail": .text("\(error)")])
      return RequestFailure(.tryAgainLater, reason: failure.reason, retryAfter: 1)
    }
    if case .wait(let seconds) = access.refusals.admit([.address(address)], now: now) {
      return RequestFailure(.throttled, retryAfter: Int64(seconds))
    }
    return RequestFailure(
      ErrorCode(rawValue: failure.serverErrorCode), reason: failure.reason)
  }

  /// Where a user signs in to the app with that API token, and the page that gets the web token.
  func signInURL(apiTokenID: String, _ origin: String?) -> String {
    let page = "\(configuration.publicURL)/signin?token=\(PercentCoding.encoded(apiTokenID))"
    return page + (origin.map { "&origin=\(PercentCoding.encoded($0))" } ?? "")
  }
}

extension Place {
  var forAccess: ContainerPlace {
    ContainerPlace(container: container, environment: environment.rawValue)
  }
}

extension DatabaseScope {
  /// What it takes to ask for something in the database.
  var access: AccessScope {
    switch self {
    case .public: .everyone
    case .private: .user
    case .shared: .shared
    }
  }
}
