import ObjectStore

// The ways out for what the server did not take.
extension SyncEngine {
  /// The changes that somebody has to do something about, the oldest first.
  public func failedChanges() throws -> [FailedChange] { try session.store.failedChanges() }

  /// Has failed changes sent again by the next pass, and files that do not come tried at once; returns how
  /// many.
  ///
  /// Those whose record was deleted elsewhere stay: they can be made anew, or discarded.
  @discardableResult
  public func retryFailedChanges() throws -> Int {
    defer { stir() }
    return try session.store.retryFailedChanges()
  }

  /// Gives up failed changes; returns how many.
  ///
  /// Objects keep what they have; the log has what was given up.
  @discardableResult
  public func discardFailedChanges() throws -> Int {
    defer { stir() }
    return try session.store.discardFailedChanges(environment: environment)
  }
}
