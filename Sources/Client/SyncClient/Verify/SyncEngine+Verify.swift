import SyncCore

extension SyncEngine {
  /// Compares the store with its server: what the server confirmed against what it has, and against the
  /// objects, less what is pending, parked or failed.
  ///
  /// With `repair` it puts right what differs, by adding only: what the server has is taken in as news,
  /// what it lacks is sent again, and objects that differ are sent as if they were edited now. Nothing is
  /// deleted; what is to be sent goes with the next pass. Passes wait until it is over.
  public func verify(repair: Bool = false) async throws -> SyncVerification {
    try requireLease()
    while isBusy { try await sync() }
    // It may have been stopped meanwhile.
    try requireLease()
    if let busy = busyServer {
      var told = SyncVerification()
      told.outcome = .unreachable(busy)
      return told
    }
    holdPasses()
    defer { releasePasses() }
    let verifier = SyncVerifier(session, isRepairing: repair)
    var work = try verifier.begin(now: environment.now())
    while case .call(let call) = work {
      work = try verifier.finish(await transport.reply(to: call), now: environment.now())
    }
    for report in session.takeReports() { tell(.report(report)) }
    guard case .done(let verification) = work else { return SyncVerification() }
    return verification
  }
}
