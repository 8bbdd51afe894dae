import RecordWire
import SyncCore

/// Waits for a server to tell that something in a zone changed, again and again.
///
/// A request is answered as soon as there is something, or after a while; so it works through whatever lets
/// requests through. A server without that extension is read now and then only.
struct ChangeWatch: Sendable {
  /// How a watch ended.
  enum End: Hashable, Sendable {
    /// The server has no such extension.
    case isUnknown
    /// The server does not let us use it, with these credentials.
    case isRefused
    /// Nobody wants to know any more.
    case isUnwanted
  }

  /// How long a server waits at least before it says that nothing happened; one that does not is asked no
  /// sooner again.
  static let pause = Duration.seconds(1)

  let transport: any RecordTransport
  let zone: ZoneIdentity
  let seed: UInt64

  /// Calls `changed` when there is news, until that says false, or the server cannot tell of any.
  func run(_ changed: @Sendable () async -> Bool) async -> End {
    var token: String?
    var backoff = Backoff()
    var random = SeededRandom(seed: seed)
    while !Task.isCancelled {
      let asked = ContinuousClock.now
      switch await ask(after: token) {
      case .success(let answer):
        backoff.succeed()
        // What happened before the first answer is news too: the pass that began may have missed it.
        let isNews = token == nil || answer.zones.contains { $0.isAbout(zone) }
        token = answer.syncToken
        if isNews, await !changed() { return .isUnwanted }
        if !isNews { try? await Task.sleep(until: asked + Self.pause) }
      case .failure(.isUnknown): return .isUnknown
      case .failure(.refused), .failure(.signIn): return .isRefused
      case .failure(let consequence):
        if consequence == .tokenExpired || consequence == .zoneGone { token = nil }
        var seconds: Int64?
        if case .retry(let after) = consequence { seconds = after }
        let wait = backoff.fail(retryAfterSeconds: seconds, using: &random)
        try? await Task.sleep(for: .milliseconds(wait))
      }
    }
    return .isUnwanted
  }

  private enum Answer {
    case success(DatabaseChangesResponse)
    case failure(RequestConsequence)
  }

  private func ask(after token: String?) async -> Answer {
    do {
      let body = try DatabaseChangesRequest(syncToken: token).json()
      let reply = try await transport.send(
        SyncCall("changes/wait", in: .databaseExtension(.private), body: body))
      if let failure = reply.failure { return .failure(RequestConsequence(failure)) }
      return .success(try DatabaseChangesResponse(json: reply.body))
    } catch {
      return .failure(.retry(afterSeconds: nil))
    }
  }
}

extension ZoneResult {
  fileprivate func isAbout(_ identity: ZoneIdentity) -> Bool {
    // The owner is left out where it is oneself, and may be spelled where it is.
    if case .zone(let zone) = self {
      zone.zone.name.utf8.elementsEqual(identity.name.utf8)
    } else {
      false
    }
  }
}
