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

  /// Does what `read` does, on the caller's thread; nil where a storage cannot, and `body` was not run.
  func readAtOnce<Result>(_ body: (any StorageTransaction) throws -> Result) throws -> Result?
}

extension RecordStorage {
  /// Runs nothing: a storage that is asked over a network waits for its answers.
  public func readAtOnce<Result>(
    _ body: (any StorageTransaction) throws -> Result
  ) throws -> Result? { nil }
}

/// One transaction of a storage; used by one thread, within the body that it was given to.
public protocol StorageTransaction {
  /// A number that tells this storage's databases from those of a storage that it was restored from.
  func epoch() throws -> UInt64

  /// The version of the container's schema that is kept here; nil before the first was.
  func schemaVersion() throws -> Int64?

  /// The stored form of the container's schema; nil before the first was kept.
  func schema() throws -> [UInt8]?

  /// Keeps the stored form of the container's schema.
  func setSchema(_ stored: [UInt8], version: Int64) throws

  /// The zone of that key, also a deleted one; nil when there never was one.
  func zone(_ key: ZoneKey) throws -> ZoneRow?

  /// The zones of a database whose last change among all of its zones comes after `sequence`, in the
  /// order of those changes, deleted ones too; at most `limit`.
  func zones(of database: DatabaseKey, after sequence: UInt64, limit: Int) throws -> [ZoneRow]

  /// The zones of a database that are there, in the order of their last changes; at most `limit`.
  func liveZones(of database: DatabaseKey, limit: Int) throws -> [ZoneRow]

  /// How many zones of a database are there.
  func liveZoneCount(of database: DatabaseKey) throws -> Int

  /// Up to which number of a database deleted zones may have been forgotten: a token below has expired.
  func databaseFloor(_ database: DatabaseKey) throws -> UInt64

  /// The number of the last change to any zone of a database; 0 before the first.
  func databaseSequence(_ database: DatabaseKey) throws -> UInt64

  /// Makes a zone, with the next number of its database.
  ///
  /// One that was deleted before is another one by then: its epoch is not the old one's.
  func createZone(_ key: ZoneKey, epoch: UInt64) throws -> ZoneRow

  /// Takes a zone away with all of its records, tombstones too; the zone itself is remembered as deleted
  /// at `moment`, in milliseconds since 1970.
  ///
  /// It takes as long for a large zone as for a small one: what is left of the records, which nobody
  /// finds any more, goes with `dropRemains`.
  func deleteZone(_ key: ZoneKey, at moment: Int64) throws

  /// Takes every zone of every database away, as `deleteZone` does.
  func deleteAllZones(at moment: Int64) throws

  /// Begins a new history of everything, as after a backup was put back: tokens of before have expired.
  ///
  /// `salt` is random; see `HistoryEpoch`.
  func renewEpochs(salt: UInt64) throws

  /// Removes what is left of deleted zones, at most `limit` records; says whether nothing is left.
  func dropRemains(limit: Int) throws -> Bool

  /// Forgets zones that were deleted before `moment`, at most `limit`, and returns how many: the floors of
  /// their databases rise above their deletion.
  func forgetZones(deletedBefore moment: Int64, limit: Int) throws -> Int

  /// How many bytes the fields of a database's records take.
  func bytesUsed(by database: DatabaseKey) throws -> Int64

  /// The records of those names, tombstones too, in the order asked for.
  func records(_ names: [String], in zone: ZoneKey) throws -> [RecordRow?]

  /// Whether there are live records of those names, without reading them, in the order asked for.
  func areThere(_ names: [String], in zone: ZoneKey) throws -> [Bool]

  /// Writes records of one zone as one commit: each gets the zone's next numbers, in order, and the
  /// zone the next one of its database.
  ///
  /// Returns them with their numbers. A record that is there is replaced, and so are its references.
  func write(_ records: [RecordWrite], in zone: ZoneKey) throws -> [RecordRow]

  /// The digest of a zone: the sum over its live records, of which every write keeps account.
  func digest(of zone: ZoneKey) throws -> ZoneDigest

  /// The live records of a zone that refer to one of `targets` with some action; at most `limit`.
  func sources(of targets: [RecordKey], limit: Int) throws -> [ReferenceSource]

  /// The records of a zone whose last change comes after `sequence`, and not after `end`, in the order
  /// of those changes or against it; up to `limit`, without tombstones where they are not wanted.
  func changes(
    of zone: ZoneKey, after sequence: UInt64, upTo end: UInt64, order: ChangeOrder,
    limit: PageLimit, withTombstones: Bool
  ) throws -> ChangeRows

  /// How far the tombstones of each live zone go that were made before `moment`, in milliseconds since
  /// 1970; zones without any are left out.
  func tombstones(madeBefore moment: Int64) throws -> [ZoneKey: UInt64]

  /// Takes away the tombstones of a zone up to a number, which becomes its floor.
  func dropTombstones(of zone: ZoneKey, upTo sequence: UInt64) throws

  /// Notes that the file of an asset is there, held for a database whose records may refer to it for some
  /// time from then on; of two such moments the later counts.
  func keepAsset(_ asset: AssetRow, for database: DatabaseKey) throws

  /// How many bytes the files of a database's assets have, each once: those that its records have, and
  /// those that were kept for it and not released since.
  func assetBytes(heldFor database: DatabaseKey) throws -> Int64

  /// Lets databases go of assets that none of their records has and that were kept last before `moment`;
  /// at most `limit` of these.
  ///
  /// Returns how many. The assets stay: other databases may have them.
  func releaseAssets(keptBefore moment: Int64, limit: Int) throws -> Int

  /// The asset of that address; nil when the storage was not told of it, or has forgotten it.
  ///
  /// A record can be written with an asset that is there, and an asset that a record has stays there.
  func asset(_ address: AssetAddress) throws -> AssetRow?

  /// Forgets assets that no record has and that were kept last before `moment`; at most `limit`. Nobody
  /// holds them any more.
  ///
  /// Returns what it has forgotten: the files may go once this is committed.
  func forgetAssets(keptBefore moment: Int64, limit: Int) throws -> [AssetAddress]

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

/// How much of a list is read at a time.
public struct PageLimit: Hashable, Sendable {
  /// How many records at most.
  public var records: Int
  /// How many bytes of fields at most; one record is read however long it is.
  public var bytes: Int

  /// Reads so many records of so many bytes at most.
  public init(records: Int, bytes: Int = .max) {
    self.records = max(1, records)
    self.bytes = max(0, bytes)
  }
}

/// Changes up to a limit.
public struct ChangeRows: Hashable, Sendable {
  /// The records.
  public private(set) var rows: [RecordRow] = []
  /// The first that the limit has left out; nil when all were read.
  public private(set) var next: RecordRow?
  private var bytes = 0

  /// Begins without any.
  public init() {}

  /// Takes a record in, unless that would be beyond the limit: then it is the next one, and the last.
  public mutating func append(_ row: RecordRow, _ limit: PageLimit) {
    let (sum, isOver) = bytes.addingReportingOverflow(row.byteCount)
    let fits = rows.count < limit.records && !isOver && sum <= limit.bytes
    guard fits || rows.isEmpty else {
      next = row
      return
    }
    bytes = sum
    rows.append(row)
  }

  /// Leaves all out but the first ones.
  mutating func keep(_ count: Int) {
    guard count < rows.count else { return }
    next = rows[count]
    rows.removeSubrange(count...)
  }
}

/// Which changes come first.
public enum ChangeOrder: Hashable, Sendable {
  case oldestFirst
  case newestFirst
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
  /// The schema that is kept cannot be read.
  case damagedSchema
  /// A record has an asset that the storage was not told of.
  case noAsset(AssetAddress)
  /// The transaction only reads.
  case readOnly
}
