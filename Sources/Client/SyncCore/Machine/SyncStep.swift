/// One exchange with the server, or one piece of work on the store between two.
public enum SyncStep: String, Hashable, Sendable, CaseIterable {
  /// Asks what the server has beyond the protocol.
  case hello
  /// Asks who we are: another user than before is another account.
  case account
  /// Makes the zone.
  case makeZone
  /// Forgets the token, and what was read since: all of the zone is read again.
  case refetch
  /// Reads one page of changes and applies it.
  case pull
  /// Asks what production lacks of what we would send.
  case schema
  /// Sends one batch.
  case push
  /// Sends one file that a batch needs, or asks where to send some.
  case upload
  /// Asks for the records that the server had in another state.
  case lookUp
  /// Fetches one file of a record, or asks where some are.
  case download
  /// Carries out what the program has chosen to do about trouble.
  case resolve
  /// Ends a pass: references that wait in vain become nothing, duplicates become one.
  case settle
}

extension SyncStep {
  /// Whether it asks for places of files, which may be anybody's.
  public var isOfFiles: Bool { self == .upload || self == .download }
}

/// What came of a step, as far as it decides what is next.
public enum StepResult: Hashable, Sendable {
  /// It is done.
  case done(StepFacts)
  /// The exchange failed as a whole.
  case failed(RequestConsequence)
  /// No answer came: the connection failed, or the time was up.
  case unanswered(String)
  /// It could not be carried out here: the store failed, or the answer makes no sense.
  case broken(String)
}

/// What a step that is done tells the machine, and adds to a pass's summary.
public struct StepFacts: Hashable, Sendable {
  /// Whether the same step has more to do.
  public var hasMore = false
  /// Whether records have to be looked up.
  public var needsLookUp = false
  /// Whether the changes have to be read first: a record is not there, and only they say why.
  public var needsPull = false
  /// Whether it has to be asked what production lacks, before anything is sent.
  public var needsSchema = false
  /// Whether files have to be sent before anything else is.
  public var needsUpload = false
  /// Whether files of records wait to be fetched.
  public var needsDownload = false
  /// Something that a policy has to decide.
  public var trouble: Trouble?
  /// What was done.
  public var tally = SyncTally()

  /// Nothing remarkable.
  public init(
    hasMore: Bool = false, needsLookUp: Bool = false, needsPull: Bool = false,
    needsSchema: Bool = false, needsUpload: Bool = false, needsDownload: Bool = false,
    trouble: Trouble? = nil, tally: SyncTally = SyncTally()
  ) {
    self.needsUpload = needsUpload
    self.needsDownload = needsDownload
    self.hasMore = hasMore
    self.needsLookUp = needsLookUp
    self.needsPull = needsPull
    self.needsSchema = needsSchema
    self.trouble = trouble
    self.tally = tally
  }
}

/// What a pass did, in numbers.
public struct SyncTally: Hashable, Sendable {
  /// Changes that the server took.
  public var pushed = 0
  /// Records that were read and were new here.
  public var pulled = 0
  /// Records with edits on both sides.
  public var merged = 0
  /// Objects that became one with an equal one.
  public var unified = 0
  /// Files that were sent.
  public var uploaded = 0
  /// Files that were fetched.
  public var downloaded = 0

  /// Nothing yet.
  public init(
    pushed: Int = 0, pulled: Int = 0, merged: Int = 0, unified: Int = 0, uploaded: Int = 0,
    downloaded: Int = 0
  ) {
    self.uploaded = uploaded
    self.downloaded = downloaded
    self.pushed = pushed
    self.pulled = pulled
    self.merged = merged
    self.unified = unified
  }

  /// Adds what another one counts.
  public static func += (tally: inout SyncTally, other: SyncTally) {
    tally.pushed += other.pushed
    tally.pulled += other.pulled
    tally.merged += other.merged
    tally.unified += other.unified
    tally.uploaded += other.uploaded
    tally.downloaded += other.downloaded
  }
}
