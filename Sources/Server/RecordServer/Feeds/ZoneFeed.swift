public import RecordWire

/// The changes to the records of one zone.
///
/// A first pull reads live records in the order of their last changes, up to the number that the zone
/// had when it began; what is changed or deleted meanwhile has higher numbers, and is told afterwards,
/// so nothing is told twice and nothing is skipped. Later passes read everything behind a number,
/// tombstones too.
public struct ZoneFeed: Sendable {
  /// The zone.
  public let zone: ZoneKey
  /// How much a page has at most.
  public let limit: PageLimit
  /// Which changes come first.
  public let order: ChangeOrder
  /// Whether a first pull is told of deletions too.
  public let firstPullHasTombstones: Bool

  /// Reads pages of up to `limit`.
  public init(
    _ zone: ZoneKey, limit: PageLimit, order: ChangeOrder = .oldestFirst,
    firstPullHasTombstones: Bool = false
  ) {
    self.zone = zone
    self.limit = limit
    self.order = order
    self.firstPullHasTombstones = firstPullHasTombstones
  }

  /// The page that follows `token`; without one, the first of all.
  public func page(
    after token: SyncToken?, in transaction: some StorageTransaction
  ) throws -> FeedPage<RecordRow> {
    guard let row = try transaction.zone(zone), !row.isDeleted else {
      throw RequestFailure.zoneNotFound(zone.name)
    }
    let start =
      token
      ?? SyncToken(
        feed: .zone, epoch: row.epoch, sequence: 0,
        firstPull: SyncToken.FirstPull(beganAt: row.sequence, position: []))
    try check(start, row)
    if let place = try ReversedPlace(start, row, order) {
      return try reversedPage(place, row, transaction)
    }
    guard let pull = start.firstPull else {
      return try laterPage(after: start.sequence, row, transaction)
    }
    return try firstPage(pull, row, transaction)
  }

  func check(_ token: SyncToken, _ row: ZoneRow) throws(RequestFailure) {
    guard token.feed == .zone else { throw .otherToken }
    // A zone that was deleted and made again, or a server that was restored from a backup.
    guard token.epoch == row.epoch, token.sequence <= row.sequence else { throw .tokenExpired }
    let known = token.firstPull?.beganAt ?? token.sequence
    guard known >= row.floor, known <= row.sequence else { throw .tokenExpired }
  }

  private func firstPage(
    _ pull: SyncToken.FirstPull, _ row: ZoneRow, _ transaction: some StorageTransaction
  ) throws -> FeedPage<RecordRow> {
    guard let position = FeedPosition.number(pull.position) else {
      throw RequestFailure.otherToken
    }
    var found = try transaction.changes(
      of: zone, after: position, upTo: pull.beganAt, order: .oldestFirst, limit: limit,
      withTombstones: firstPullHasTombstones)
    found.cutBetweenCommits()
    var token = SyncToken(feed: .zone, epoch: row.epoch, sequence: pull.beganAt)
    if found.next != nil {
      let reached = found.rows.last?.sequence ?? position
      token.sequence = 0
      token.firstPull = SyncToken.FirstPull(
        beganAt: pull.beganAt, position: FeedPosition.bytes(reached))
    }
    return FeedPage(
      elements: found.rows, token: token,
      isMoreComing: found.next != nil || row.sequence > pull.beganAt)
  }

  private func laterPage(
    after sequence: UInt64, _ row: ZoneRow, _ transaction: some StorageTransaction
  ) throws -> FeedPage<RecordRow> {
    var found = try transaction.changes(
      of: zone, after: sequence, upTo: row.sequence, order: .oldestFirst, limit: limit,
      withTombstones: true)
    found.cutBetweenCommits()
    let isCut = found.next != nil
    // Numbers behind the last one are of changes that later ones have overtaken.
    let reached = isCut ? found.rows.last?.sequence ?? sequence : row.sequence
    return FeedPage(
      elements: found.rows, token: SyncToken(feed: .zone, epoch: row.epoch, sequence: reached),
      isMoreComing: isCut)
  }
}

/// The place that a first pull has reached, as its token carries it.
enum FeedPosition {
  static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// The number; 0 for a pull that begins, nil for bytes that are no place.
  static func number(_ bytes: [UInt8]) -> UInt64? {
    if bytes.isEmpty { return 0 }
    guard bytes.count == MemoryLayout<UInt64>.size else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
