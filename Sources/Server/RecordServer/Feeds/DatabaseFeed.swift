public import RecordWire

/// The changes to the zones of one database: which were made, which were deleted, and in which records
/// changed.
///
/// A first pull tells of the zones that are there.
public struct DatabaseFeed: Sendable {
  /// The database.
  public let database: DatabaseKey
  /// How many zones a page has at most.
  public let limit: Int

  /// Reads pages of up to `limit` zones.
  public init(_ database: DatabaseKey, limit: Int) {
    self.database = database
    self.limit = max(1, limit)
  }

  /// The page that follows `token`; without one, the first of all.
  public func page(
    after token: SyncToken?, in transaction: some StorageTransaction
  ) throws -> FeedPage<ZoneRow> {
    let epoch = try transaction.epoch()
    let newest = try transaction.databaseSequence(database)
    if let token {
      try check(token, epoch, newest)
      // Whoever has not heard of zones that are forgotten by now has to begin anew.
      let known = token.firstPull?.beganAt ?? token.sequence
      guard known >= (try transaction.databaseFloor(database)) else {
        throw RequestFailure.tokenExpired
      }
    }
    let start = token?.sequence ?? 0
    let pull = token.map(\.firstPull) ?? SyncToken.FirstPull(beganAt: newest, position: [])
    var rows = try transaction.zones(of: database, after: start, limit: limit + 1)
    let isCut = rows.count > limit
    if isCut { rows.removeSubrange(limit...) }
    let reached = isCut ? rows.last?.databaseSequence ?? start : newest
    // Who has seen none of the zones need not hear that some are gone.
    let beganAt = pull?.beganAt ?? 0
    let told = rows.filter { !($0.isDeleted && $0.databaseSequence <= beganAt) }
    let isWithinPull = isCut && reached < beganAt
    return FeedPage(
      elements: told,
      token: SyncToken(
        feed: .database, epoch: epoch, sequence: reached, firstPull: isWithinPull ? pull : nil),
      isMoreComing: isCut)
  }

  private func check(_ token: SyncToken, _ epoch: UInt64, _ newest: UInt64) throws(RequestFailure) {
    guard token.feed == .database, token.filter == nil else { throw .otherToken }
    guard token.epoch == epoch, token.sequence <= newest else { throw .tokenExpired }
  }
}
