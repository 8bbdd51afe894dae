/// Where the records of one container's environment are kept: in memory, or in a database.
///
/// What a body does in `write` is one transaction: all of it is kept, durably, before `write` returns, or
/// nothing is. Bodies decide nothing that a storage has to know: they read rows and write rows.
public protocol RecordStorage: Sendable {
  /// Runs `body` in a transaction; when it throws, nothing was changed.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result

  /// Runs `body` in a transaction that only reads: what it sees is of one moment.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result
}

/// One transaction of a storage; used by one thread, within the body that it was given to.
public protocol StorageTransaction {
  /// A number that tells this storage's databases from those of a storage that it was restored from.
  func epoch() throws -> UInt64

  /// The zone of that key, also a deleted one; nil when there never was one.
  func zone(_ key: ZoneKey) throws -> ZoneRow?

  /// The zones of a database whose last change among all of its zones comes after `sequence`, in the
  /// order of those changes, deleted ones too; at most `limit`.
  func zones(of database: DatabaseKey, after sequence: UInt64, limit: Int) throws -> [ZoneRow]

  /// The number of the last change to any zone of a database; 0 before the first.
  func databaseSequence(_ database: DatabaseKey) throws -> UInt64

  /// Makes a zone, with the next number of its database.
  ///
  /// One that was deleted before is another one by then: its epoch is not the old one's.
  func createZone(_ key: ZoneKey, epoch: UInt64) throws -> ZoneRow

  /// Takes a zone away with all of its records, tombstones too; the zone itself is remembered as deleted.
  func deleteZone(_ key: ZoneKey) throws

  /// The records of those names, tombstones too, in the order asked for.
  func records(_ names: [String], in zone: ZoneKey) throws -> [RecordRow?]

  /// Writes records of one zone as one commit: each gets the zone's next numbers, in order, and the
  /// zone the next one of its database.
  ///
  /// Returns them with their numbers. A record that is there is replaced, and so are its references.
  func write(_ records: [RecordWrite], in zone: ZoneKey) throws -> [RecordRow]

  /// The live records of a zone that refer to one of `targets` with some action.
  func sources(of targets: [RecordKey]) throws -> [ReferenceSource]

  /// The records of a zone whose last change comes after `sequence`, and not after `end`, in the order
  /// of those changes; at most `limit`, without tombstones where they are not wanted.
  func changes(
    of zone: ZoneKey, after sequence: UInt64, upTo end: UInt64, limit: Int, withTombstones: Bool
  ) throws -> [RecordRow]

  /// Takes away the tombstones of a zone up to a number, which becomes its floor.
  func dropTombstones(of zone: ZoneKey, upTo sequence: UInt64) throws

  /// The records of a zone with entries of a slot, in the order of values and then of names; at most
  /// `limit`.
  func scan(_ scan: IndexScan, in zone: ZoneKey, limit: Int) throws -> [IndexedRow]

  /// How many entries such a scan has; at most `limit`, for who only wants to know whether it is few.
  func count(_ scan: IndexScan, in zone: ZoneKey, limit: Int) throws -> Int

  /// The live records of a type in the order of their names; at most `limit`.
  func records(
    ofType type: String, in zone: ZoneKey, from start: IndexScan.Place?, isDescending: Bool,
    limit: Int
  ) throws -> [RecordRow]

  /// The indexes that are not complete yet.
  func pendingIndexes() throws -> [PendingIndex]

  /// Notes how far an index is filled; nil once it is complete, or gone.
  func setPendingIndex(_ key: IndexKey, _ pending: PendingIndex?) throws

  /// Records of all zones, tombstones too, in an order in which later ones come last.
  func records(after position: UInt64, limit: Int) throws -> RecordBatch

  /// Gives a record that is there other entries.
  func setEntries(_ entries: [IndexEntry], of record: RecordKey) throws

  /// Ends a slot: its entries are found no more, and one of its name is another one.
  func retire(_ slot: IndexSlot) throws

  /// Takes away entries of slots that were ended, at most `limit`; says whether none are left.
  func dropRetiredEntries(limit: Int) throws -> Bool
}

/// A record that refers to another.
public struct ReferenceSource: Hashable, Sendable {
  /// The record that refers.
  public var record: RecordKey
  /// What it refers to, and how.
  public var reference: ReferenceRow

  /// Describes a reference with both of its ends.
  public init(_ record: RecordKey, _ reference: ReferenceRow) {
    self.record = record
    self.reference = reference
  }
}

/// What a storage throws beside its own failures.
public enum StorageFailure: Error, Hashable, Sendable {
  /// Something is asked of a zone that is not there.
  case noZone(ZoneKey)
  /// A counter has come to its end.
  case numbersExhausted(ZoneKey)
  /// The transaction only reads.
  case readOnly
}
