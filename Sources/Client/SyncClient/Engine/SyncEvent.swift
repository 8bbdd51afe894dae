public import SyncCore

/// What an engine tells while it works.
public enum SyncEvent: Hashable, Sendable {
  /// How many events wait for a slow listener; the oldest go first.
  static let bufferedMax = 1_000

  /// A step begins.
  case step(SyncStep)
  /// Something happened to a change or a record.
  case report(SyncReport)
  /// How far the pass has come.
  case progress(SyncProgress)
  /// No answer came, or none that helps: it is tried again.
  case unanswered(SyncStep, String)
  /// A pass is over.
  case finished(SyncSummary)
}

/// How far a pass has come.
public struct SyncProgress: Hashable, Sendable {
  /// Changes that the server took in this pass.
  public var pushed: Int
  /// How many there are in all, with those that are still to be sent; nil before anything was sent.
  public var pushedTotal: Int?
  /// Records that were read in this pass; the server does not say how many there are.
  public var pulled: Int
}

/// What a pass came to.
public struct SyncSummary: Hashable, Sendable {
  /// Why it ended.
  public var outcome: SyncMachine.Outcome
  /// Changes that the server took.
  public var pushed: Int
  /// Records that were new or changed here.
  public var pulled: Int
  /// Records with edits on both sides.
  public var merged: Int
  /// Changes that are still to be sent.
  public var pending: Int
  /// Changes that wait for a promotion.
  public var parked: Int
  /// Changes that somebody has to do something about.
  public var failed: Int
  /// Files that records have and objects have not yet.
  public var awaitedFiles: Int
  /// Those of them that do not come, though they were tried often.
  public var missingFiles: Int

  init(_ end: SyncMachine.PassEnd, _ status: SyncStatus) {
    outcome = end.outcome
    (pushed, pulled, merged) = (end.tally.pushed, end.tally.pulled, end.tally.merged)
    (pending, parked, failed) = (status.pending, status.parked, status.failed)
    (awaitedFiles, missingFiles) = (status.awaitedFiles, status.missingFiles)
  }
}

extension SyncSummary: CustomStringConvertible {
  /// The numbers in one line.
  public var description: String {
    "pushed \(pushed), pulled \(pulled), merged \(merged), pending \(pending), parked \(parked), "
      + "failed \(failed)" + (awaitedFiles > 0 ? ", files to come \(awaitedFiles)" : "")
  }
}
