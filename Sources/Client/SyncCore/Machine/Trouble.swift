/// Something that happens to an account or a zone as a whole, and that a program may want to decide about.
public enum Trouble: String, Hashable, Sendable, CaseIterable {
  /// The server knows us as another user than before.
  case accountSwitched
  /// The zone that was there is gone.
  case zoneDeleted
  /// The zone is there, and everything in it is another history: it was deleted and made again.
  case zoneReset
  /// The server was restored from a backup: it lacks what it had confirmed.
  case serverRestored
  /// The token was too old, and nobody can tell whether what is missing now was deleted.
  case tokenExpired
  /// The account's quota is used up.
  case quotaExceeded
}

/// What to do about trouble.
///
/// | | records that the server lacks | where the server has an older state |
/// |---|---|---|
/// | `keepLocal` | their objects stay here; one that is edited is sent as new | the server's state counts |
/// | `reupload` | are sent again, as they were when the server confirmed them last | the newer fields are sent again |
/// | `deleteLocal` | their objects go; edits that were not sent are kept as failed | the server's state counts |
///
/// After `accountSwitched`, `zoneDeleted` and `zoneReset` the server lacks everything. After `quotaExceeded`
/// it lacks the changes that it did not take: `keepLocal` leaves them failed and goes on with others,
/// `reupload` sends them again, `deleteLocal` gives them up, so that objects are what the server has.
public enum TroublePolicy: String, Hashable, Sendable, CaseIterable {
  /// Nothing changes here or there until somebody decides.
  case ask
  /// What is here stays, and what the server lacks is not sent again.
  case keepLocal
  /// What the server lacks is sent again.
  case reupload
  /// What the server lacks goes here too.
  case deleteLocal
}
