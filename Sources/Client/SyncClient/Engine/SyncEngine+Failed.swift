import ObjectStore

// The ways out for what the server did not take.
extension SyncEngine {
  /// The changes that somebody has to do something about, the oldest first.
  public func failedChanges() throws -> [FailedChange] { try session.store.failedChanges() }

  /// Has failed changes sent again by the next pass, and files that do not come tried at once; returns how
  /// many.
  ///
  /// Those whose record was deleted elsewhere stay: they can be made anew, or discarded. With `records` only
  /// the changes of records with these names are meant, here and below.
  @discardableResult
  public func retryFailedChanges(of records: Set<String>? = nil) throws -> Int {
    try requireLease()
    defer { stir() }
    return try session.store.retryFailedChanges(of: records)
  }

  /// Makes objects anew that were deleted elsewhere while they were edited here, with the values that they
  /// had here, and has them sent by the next pass; returns how many.
  ///
  /// Values in files come back as far as they were small enough to be kept. What the server has again, for later
  /// versions say, is not made anew.
  @discardableResult
  public func recreateFailedChanges(of records: Set<String>? = nil) throws -> Int {
    try requireLease()
    defer { stir() }
    return try session.recreateFailed(of: records, now: environment.now())
  }

  /// Gives up failed changes; returns how many.
  ///
  /// Objects keep what they have, and what was deleted here is again as the server has it; the log has what
  /// was given up.
  @discardableResult
  public func discardFailedChanges(of records: Set<String>? = nil) throws -> Int {
    try requireLease()
    defer { stir() }
    return try session.discardFailed(of: records, now: environment.now())
  }
}
