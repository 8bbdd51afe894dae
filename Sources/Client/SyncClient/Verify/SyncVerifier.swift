import RecordWire
import SyncCore

/// Compares a store with its server, and puts right what differs if asked to.
///
/// Like `SyncSession` it knows no clock and no network: a driver sends the request that it gets and hands
/// in what came back. Nothing is ever deleted by it, and it may end at any moment: whoever begins again
/// finds less to do.
///
/// The server's moment has to be ours: digests come with a token, and where that is not the one that was
/// read up to, the changes in between are read first.
final class SyncVerifier {
  /// How often the comparison begins anew since others write meanwhile.
  static let roundsMax = 4
  /// How many records one request looks up.
  static let lookUpsMax = 200

  /// What is to be done.
  enum Work {
    /// A request; `finish` wants what came back.
    case call(SyncCall)
    /// That was all.
    case done(SyncVerification)
  }

  enum Phase: Hashable {
    /// The whole zone's digest is asked for.
    case digest
    /// What happened since is read.
    case pull
    /// The digests of buckets are asked for.
    case buckets
    /// The records of those buckets are asked for, from a place on.
    case records(after: Int?)
    /// All records are read, from a token on.
    case zone(token: String?)
    /// Records that differ are looked up.
    case lookUp
    /// The rest is done here.
    case objects
    case ended
  }

  let session: SyncSession
  let isRepairing: Bool
  var report = SyncVerification()
  var phase = Phase.digest
  /// The sums of what was confirmed, once the moment is the same.
  var sums: [DigestSum] = []
  /// The buckets that differ.
  var buckets: Set<Int> = []
  /// What the server has, as far as it was asked.
  var theirs: [NameKey: RecordMark] = [:]
  var comparison = RecordComparison(ours: [:], theirs: [:])
  /// What the round before found, where only that tells whether it is certain.
  var lastComparison: RecordComparison?
  /// The names that are still to be looked up.
  var lookUps: [String] = []
  private var rounds = 0

  init(_ session: SyncSession, isRepairing: Bool) {
    self.session = session
    self.isRepairing = isRepairing
    let isKnown = session.capabilities != nil
    if !session.configuration.usesExtensions || (isKnown && !session.has("zoneDigest")) {
      readWhole()
    }
  }

  /// What is to be done now.
  func begin(now: Int64) throws -> Work {
    switch phase {
    case .digest: return try digestCall()
    case .buckets: return try digestCall { $0.wantsBuckets = true }
    case .records(let after):
      let wanted = buckets.sorted()
      return try digestCall { item in
        item.recordsOf = wanted
        item.recordsAfter = after
      }
    case .pull: return try beginPull(now)
    case .zone(let token): return try zoneCall(token, now)
    case .lookUp: return try lookUpCall(now)
    case .objects:
      try compareObjects(now)
      phase = .ended
      return .done(report)
    case .ended: return .done(report)
    }
  }

  /// Takes in what came back, and says what is to be done next.
  func finish(_ reply: Result<SyncReply, TransportFailure>, now: Int64) throws -> Work {
    switch reply {
    case .failure(let failure): end(.unreachable(failure.description))
    case .success(let reply):
      do {
        try take(reply, now)
      } catch let error as WireError {
        end(.unreachable("\(error)"))
      }
    }
    return try begin(now: now)
  }

  private func take(_ reply: SyncReply, _ now: Int64) throws {
    if phase == .pull { return try finishPull(reply, now) }
    if let failure = reply.failure { return takeFailure(failure) }
    switch phase {
    case .digest, .buckets, .records: try takeDigest(reply.body, now)
    case .zone: try takePage(reply.body, now)
    case .lookUp: try takeLookUp(reply.body, now)
    case .pull, .objects, .ended: break
    }
  }

  /// A server that does not know the request has no digests, unless it said that it has.
  private func takeFailure(_ failure: RequestFailure) {
    let consequence = RequestConsequence(failure)
    switch (phase, consequence) {
    case (.digest, .isUnknown), (.digest, .refused):
      if session.capabilities == nil { return readWhole() }
      end(SyncMachine.Outcome(consequence))
    default: end(SyncMachine.Outcome(consequence))
    }
  }

  func end(_ outcome: SyncMachine.Outcome) {
    report.outcome = outcome
    phase = .ended
  }

  /// Reads every record from now on: the server has no digests, or does not list records by them.
  func readWhole() {
    report.method = .wholeZone
    theirs = [:]
    phase = .zone(token: nil)
  }

  /// Begins anew with what happened meanwhile.
  func catchUp() {
    rounds += 1
    if rounds >= Self.roundsMax { return end(.unfinished) }
    theirs = [:]
    phase = .pull
  }
}

extension SyncMachine.Outcome {
  /// How something ends that is not tried again.
  init(_ consequence: RequestConsequence) {
    self =
      switch consequence {
      case .retry: .unreachable("the server is busy")
      case .signIn(let url): .signIn(redirectURL: url)
      case .zoneGone: .trouble(.zoneDeleted)
      case .tokenExpired: .trouble(.tokenExpired)
      case .quota: .trouble(.quotaExceeded)
      case .refused(let failure): .refused(failure.reason)
      case .split, .isUnknown: .refused("the server does not know the request")
      }
  }
}
