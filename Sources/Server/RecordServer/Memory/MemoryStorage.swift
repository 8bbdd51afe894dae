import Synchronization

/// Keeps records in memory, for tests, demonstrations and simulations; gone with the process.
public final class MemoryStorage: RecordStorage {
  private let state: Mutex<MemoryState>

  /// Makes a storage without zones; `epoch` is a number that no other has.
  public init(epoch: UInt64) { state = Mutex(MemoryState(epoch: epoch)) }

  /// Makes a storage that has what another one has now, as a backup of it would.
  public init(copying other: MemoryStorage) { state = Mutex(other.state.withLock { $0 }) }

  /// Makes a storage that has what another one has now, and whose zones all have another epoch, as those
  /// that were deleted and made again have.
  package init(copying other: MemoryStorage, zoneEpoch: UInt64) {
    var copy = other.state.withLock { $0 }
    for key in copy.zones.keys { copy.zones[key]?.row.renew(zoneEpoch) }
    state = Mutex(copy)
  }

  /// Runs `body` alone; when it throws, nothing was changed.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result {
    try run(isReading: false, body)
  }

  /// Runs `body` alone, without letting it write.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result {
    try run(isReading: true, body)
  }

  /// Runs `body` alone, without letting it write; never nil.
  public func readAtOnce<Result>(
    _ body: (any StorageTransaction) throws -> Result
  ) throws -> Result? {
    try run(isReading: true, body)
  }

  private func run<Result>(
    isReading: Bool, _ body: (any StorageTransaction) throws -> Result
  ) throws -> Result {
    try state.withLock { state in
      // Moved out and back, so that nothing is copied.
      let transaction = MemoryTransaction(state, isReading: isReading)
      state = MemoryState(epoch: 0)
      defer { state = transaction.state }
      do {
        return try body(transaction)
      } catch {
        transaction.undo()
        throw error
      }
    }
  }
}

/// Everything that a storage in memory knows.
struct MemoryState {
  var epoch: UInt64
  var zones: [ZoneKey: MemoryZone] = [:]
  var databases: [DatabaseKey: UInt64] = [:]
  /// Up to which numbers deleted zones were forgotten.
  var databaseFloors: [DatabaseKey: UInt64] = [:]
  /// The container's schema.
  var schema: (version: Int64, stored: [UInt8])?
  /// Who refers to a record.
  var sources: [RecordKey: Set<RecordKey>] = [:]
  /// The assets by their addresses.
  var assets: [AssetAddress: MemoryAsset] = [:]
  /// For which databases assets are held.
  var assetHolds: [AssetHold: MemoryHold] = [:]
  /// The indexes that are being filled.
  var pending: [IndexKey: PendingIndex] = [:]
}
