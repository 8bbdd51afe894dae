import RecordWire

/// How many bytes of files may be held for a database.
public struct AssetQuota: Sendable {
  private let database: DatabaseKey
  private let bytesMax: Int64

  /// Allows a database so many bytes.
  public init(_ database: DatabaseKey, bytesMax: Int64) {
    self.database = database
    self.bytesMax = bytesMax
  }

  /// Throws where nothing more can be uploaded, so that nobody sends a file in vain.
  func checkRoom(in transaction: any StorageTransaction) throws {
    guard bytesMax < .max, try transaction.assetBytes(heldFor: database) >= bytesMax else { return }
    throw RequestFailure.filesFull(bytesMax)
  }

  /// Keeps an asset for the database; throws where that would be too much, as the transaction has to.
  ///
  /// A file that is held already costs nothing.
  public func keep(_ asset: AssetRow, in transaction: any StorageTransaction) throws {
    let before = try transaction.assetBytes(heldFor: database)
    try transaction.keepAsset(asset, for: database)
    let after = try transaction.assetBytes(heldFor: database)
    if after > before && after > bytesMax { throw RequestFailure.filesFull(bytesMax) }
  }
}

extension RequestFailure {
  fileprivate static func filesFull(_ bytesMax: Int64) -> RequestFailure {
    RequestFailure(
      .quotaExceeded, reason: "the files of a database's assets take at most \(bytesMax) bytes")
  }
}
