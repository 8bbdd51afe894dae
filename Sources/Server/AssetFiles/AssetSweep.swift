public import RecordServer
import RecordWire

extension AssetFolder {
  /// Tells a storage of a file that was uploaded for a database: only then a receipt may be given for it.
  ///
  /// Throws the failure that asks the client to come again where a sweep has taken the file meanwhile,
  /// which it can only do to one that was there long before. A file that is too much for the quota goes
  /// again at once, unless others have it.
  public func keep(
    _ file: AssetFile, within quota: AssetQuota, in storage: any RecordStorage, now: Int64
  ) async throws {
    do {
      try await storage.write { transaction in
        guard self.size(of: file.address) == file.size else { throw RequestFailure.assetSweptAway }
        try quota.keep(AssetRow(file, keptAt: now), in: transaction)
      }
    } catch let failure as RequestFailure where failure.code == .quotaExceeded {
      _ = try await AssetSweep(storage, self).removeUnknown([file.address])
      throw failure
    }
  }
}

/// Removes files that no record has and that no receipt can bring into one any more.
///
/// A file is removed only within a writing transaction in which the storage does not know its asset, and
/// only after the transaction that forgot the asset is on the disk: so a record that is there, or comes
/// back when a commit fails, has its file. Run one sweep at a time.
public struct AssetSweep: Sendable {
  /// What a sweep did.
  public struct Outcome: Hashable, Sendable {
    /// How many assets the storage has forgotten, and their files with them.
    public var forgotten = 0
    /// How many files went that the storage did not know of: a crash had left them.
    public var orphans = 0
  }

  private let storage: any RecordStorage
  private let folder: AssetFolder

  /// Prepares to sweep the folder of a storage.
  public init(_ storage: any RecordStorage, _ folder: AssetFolder) {
    self.storage = storage
    self.folder = folder
  }

  /// Sweeps; `now` is in milliseconds since 1970.
  public func run(now: Int64) async throws -> Outcome {
    let moment = AssetLimits.oldest(now: now)
    try await release(keptBefore: moment)
    return Outcome(
      forgotten: try await forget(keptBefore: moment),
      orphans: try await removeOrphans(writtenBefore: moment))
  }

  /// Gives databases back what they hold no more of assets that others have still.
  private func release(keptBefore moment: Int64) async throws {
    var count = AssetLimits.sweepBatch
    while count == AssetLimits.sweepBatch {
      count = try await storage.write { transaction in
        try transaction.releaseAssets(keptBefore: moment, limit: AssetLimits.sweepBatch)
      }
    }
  }

  private func forget(keptBefore moment: Int64) async throws -> Int {
    var count = 0
    while true {
      let forgotten = try await storage.write { transaction in
        try transaction.forgetAssets(keptBefore: moment, limit: AssetLimits.sweepBatch)
      }
      if forgotten.isEmpty { return count }
      // Another transaction, since the first could have failed to commit.
      _ = try await removeUnknown(forgotten)
      count += forgotten.count
    }
  }

  /// Files that were stored when the process ended, before the storage heard of them.
  private func removeOrphans(writtenBefore moment: Int64) async throws -> Int {
    var count = 0
    for part in 0..<AssetFolder.partCount {
      var left = try folder.addresses(inPart: part, writtenBefore: moment)[...]
      while !left.isEmpty {
        count += try await removeUnknown(
          try await unknown(Array(left.prefix(AssetLimits.sweepBatch))))
        left = left.dropFirst(AssetLimits.sweepBatch)
      }
    }
    return count
  }

  /// Those that the storage does not know, without making writers wait.
  private func unknown(_ addresses: [AssetAddress]) async throws -> [AssetAddress] {
    try await storage.read { transaction in
      try addresses.filter { try transaction.asset($0) == nil }
    }
  }

  /// Removes those files that the storage does not know; returns how many.
  func removeUnknown(_ addresses: [AssetAddress]) async throws -> Int {
    if addresses.isEmpty { return 0 }
    let folder = folder
    return try await storage.write { transaction in
      let unknown = try addresses.filter { try transaction.asset($0) == nil }
      for address in unknown { folder.remove(address) }
      return unknown.count
    }
  }
}
