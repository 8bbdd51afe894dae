import RecordWire

/// How far a pass has come that reads the newest changes first.
///
/// It reads down from the number that the zone had when it began; what comes meanwhile has higher
/// numbers, and is told by the pass after it.
struct ReversedPlace: Hashable {
  /// The number that the zone had when the pass began.
  var beganAt: UInt64
  /// The number that the reader had then: the pass ends above it.
  var after: UInt64
  /// The highest number that it has not read yet.
  var next: UInt64

  /// The place that a token names, or where a pass begins; nil for passes in the other direction.
  ///
  /// A pass keeps the direction in which it began.
  init?(_ token: SyncToken, _ row: ZoneRow, _ order: ChangeOrder) throws(RequestFailure) {
    if let pull = token.firstPull, !pull.position.isEmpty {
      guard pull.position.count > MemoryLayout<UInt64>.size else { return nil }
      guard let numbers = Self.numbers(pull.position) else { throw .otherToken }
      (after, next) = numbers
      beganAt = pull.beganAt
      return
    }
    guard order == .newestFirst else { return nil }
    beganAt = token.firstPull?.beganAt ?? row.sequence
    after = token.sequence
    next = beganAt
  }

  /// The token that leads to this place.
  func token(epoch: UInt64) -> SyncToken {
    SyncToken(
      feed: .zone, epoch: epoch, sequence: 0,
      firstPull: SyncToken.FirstPull(
        beganAt: beganAt, position: FeedPosition.bytes(after) + FeedPosition.bytes(next)))
  }

  private static func numbers(_ bytes: [UInt8]) -> (UInt64, UInt64)? {
    let size = MemoryLayout<UInt64>.size
    guard bytes.count == 2 * size, let after = FeedPosition.number(Array(bytes[..<size])),
      let next = FeedPosition.number(Array(bytes[size...]))
    else { return nil }
    return (after, next)
  }
}

extension ZoneFeed {
  /// A page of a pass that reads the newest changes first.
  func reversedPage(
    _ place: ReversedPlace, _ row: ZoneRow, _ transaction: some StorageTransaction
  ) throws -> FeedPage<RecordRow> {
    // What is gone of the range, a reader who goes on would never hear of.
    guard place.after == 0 || place.after >= row.floor else { throw RequestFailure.tokenExpired }
    var found = try transaction.changes(
      of: zone, after: place.after, upTo: place.next, order: .newestFirst, limit: limit,
      withTombstones: place.after > 0 || firstPullHasTombstones)
    found.cutBetweenCommits()
    guard let next = found.next?.sequence else {
      return FeedPage(
        elements: found.rows,
        token: SyncToken(feed: .zone, epoch: row.epoch, sequence: place.beganAt),
        isMoreComing: row.sequence > place.beganAt)
    }
    var rest = place
    rest.next = next
    return FeedPage(elements: found.rows, token: rest.token(epoch: row.epoch), isMoreComing: true)
  }
}
