extension StorageSQL {
  /// What format 3 changes for feeds: who reads what is live does not meet what is not.
  ///
  /// Each record is in one of two indexes, so that a write costs no more than before; a feed with
  /// tombstones merges both.
  static let feedWithoutTombstones = [
    "DROP INDEX record_feed",
    "CREATE UNIQUE INDEX record_live ON record (zone, sequence) WHERE NOT is_deleted",
  ]
}
