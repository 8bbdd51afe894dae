import DataModel
public import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

// The ways out for what the server did not take.
extension Store {
  /// Has failed changes sent again by the next pass, and files that do not come tried at once; returns how
  /// many.
  ///
  /// Those whose record was deleted elsewhere stay: they can be made anew, or discarded. With `records` only
  /// the changes of records with these names are meant, here and below.
  public func retryFailedChanges(of records: Set<String>? = nil) throws -> Int {
    let files = try write(author: SyncAuthor.name) { transaction in
      guard records == nil, try FileTables.areThere(transaction.connection) else { return 0 }
      return try SyncRows(connection: transaction.connection).retryAwaitedFiles()
    }
    return try files + retryChanges(records)
  }

  /// Gives up failed changes; returns how many.
  ///
  /// Objects keep what they have, and what was deleted here is again as the server has it; the log has what
  /// was given up. What was deleted since an equal object has all that it had stays failed: it would be made one
  /// with that again. A program with legacy fields gives up deletions by its engine, which knows of them.
  public func discardFailedChanges(
    of records: Set<String>? = nil, environment: SyncEnvironment = .system
  ) throws -> Int {
    var random = environment.random
    let session = try SyncSession(
      self, SyncConfiguration(of: self), device: DeviceNumber(rawValue: random.next()),
      random: random)
    return try session.discardFailed(of: records, now: environment.now())
  }

  /// Makes objects anew that were deleted elsewhere while they were edited here, with the values that they
  /// had here, and has them sent by the next pass; returns how many.
  ///
  /// Values in files come back as far as they were small enough to be kept. What the server has again, for later
  /// versions say, is not made anew.
  public func recreateFailedChanges(
    of records: Set<String>? = nil, environment: SyncEnvironment = .system
  ) throws -> Int {
    var random = environment.random
    return try withExtendedLifetime(SyncLease(location)) {
      let session = try SyncSession(
        self, SyncConfiguration(of: self), device: DeviceNumber(rawValue: random.next()),
        random: random)
      return try session.recreateFailed(of: records, now: environment.now())
    }
  }

  private func retryChanges(_ records: Set<String>?) throws -> Int {
    try write(author: SyncAuthor.name) { transaction in
      let rows = SyncRows(connection: transaction.connection)
      guard try SyncTables.areThere(transaction.connection) else { return 0 }
      try FileTables.makeIfNeeded(transaction.connection)
      let failed = try rows.failedChanges(of: records).filter {
        $0.code != SyncFailureCode.deletedRemotely
      }
      for change in failed { try rows.retry(change) }
      return failed.count
    }
  }
}
