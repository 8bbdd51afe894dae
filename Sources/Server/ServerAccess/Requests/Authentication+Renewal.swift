import Dispatch
import Synchronization

extension Authentication {
  /// The web token for the answer to a request that came with `webToken`; nil when that is not good here.
  ///
  /// It is the same token, since another would break clients that send requests side by side. One that has
  /// lived half of its life lives longer from now on; this is written to the file in the background.
  public func renewed(
    _ webToken: String, in place: ContainerPlace, now: Int64
  ) throws(AccessFailure) -> String? {
    let generation = try generation(now: now)
    guard let known = try session(webToken, place, generation, now),
      let digest = TokenKind.web.digest(webToken)
    else { return nil }
    if let expires = known.session.prolongedEnd(now: now) {
      sessions.update(digest) { $0.session.expires = max($0.session.expires, expires) }
      renewals.add(known.session.id, expires, to: accounts)
    }
    return webToken
  }

  /// Waits until what `renewed` prolonged is in the file; a daemon does so before it ends.
  public func flush() { renewals.flush() }
}

extension WebSession {
  /// When the session ends if it is used at `now`; nil while that makes no difference worth writing.
  func prolongedEnd(now: Int64) -> Int64? {
    guard let life, Milliseconds.difference(expires, now) < life / 2 else { return nil }
    let last = Milliseconds.sum(created, AccessLimits.sessionTotalMax)
    let end = min(Milliseconds.sum(now, life), last)
    return end > expires ? end : nil
  }
}

/// Writes prolonged lives in the background, many at once: no request waits for the disk for them.
final class RenewalQueue: Sendable {
  private let queue = DispatchQueue(label: "contrail.access.renewals")
  private let waiting = Mutex<[String: Int64]>([:])

  func add(_ session: String, _ expires: Int64, to accounts: AccountFile) {
    let isFirst = waiting.withLock { waiting in
      // What does not fit is lost: its token ends earlier, or is prolonged by the next request.
      guard waiting.count < AccessLimits.renewalsWaitingMax || waiting[session] != nil else {
        return false
      }
      waiting[session] = max(expires, waiting[session] ?? .min)
      return waiting.count == 1
    }
    if isFirst { queue.async { self.write(to: accounts) } }
  }

  func flush() { queue.sync {} }

  private func write(to accounts: AccountFile) {
    let jobs = waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting
    }
    if jobs.isEmpty { return }
    // A failure costs nobody a right: the token ends when it would have ended.
    try? accounts.write(endsRights: false) { connection in
      for (session, expires) in jobs { try SessionRows.prolong(connection, session, to: expires) }
    }
  }
}
