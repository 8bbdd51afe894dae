import RecordWire

/// The changes to the records of one zone, without those that are made for later versions of a program.
///
/// A token carries the filter that it was read by, and goes on with no other: records that are above
/// it are left out of a first pull, and of later passes only their names are told, since the reader may
/// have them from before. With a higher version, and else the same filter, a token first leads through
/// the records in between, up to the number that the reader has, and then on from there; what is
/// changed meanwhile has higher numbers. A first pull, and a pass that reads the newest first, have to
/// end by the filter that they began with.
struct VersionedFeed {
  let feed: ZoneFeed
  let filter: VersionFilter?

  /// The page that follows `token`; without one, the first of all.
  func page(
    after token: SyncToken?, in transaction: some StorageTransaction
  ) throws -> FeedPage<SeenRow> {
    guard let filter else {
      if token?.filter != nil { throw RequestFailure.otherFilter }
      let page = try feed.page(after: token, in: transaction)
      return page.replacingElements { SeenRow(row: $0) }
    }
    let reading = FilteredReading(filter)
    if let token, let band = try band(of: token, reading) {
      return try bandPage(band, token, reading, transaction)
    }
    var plain = token
    plain?.filter = nil
    let knowsNothing = plain?.isFirstPull ?? true
    var page = try feed.page(after: plain, in: transaction)
    page.token.filter = reading.mark(band: nil)
    return page.replacingElements { row in
      if row.isDeleted || !reading.isAbove(row) { return SeenRow(row: row) }
      return knowsNothing ? nil : SeenRow(row: row, hasLeft: true)
    }
  }

  /// The records that a reader lacks who has all of lower versions; nil where the filter has not been
  /// raised.
  private func band(
    of token: SyncToken, _ reading: FilteredReading
  ) throws(RequestFailure) -> SyncToken.Filter.Band? {
    let max = reading.filter.max
    guard let old = token.filter, old.fingerprint == reading.fingerprint, old.max <= max else {
      throw .otherFilter
    }
    if old.max == max { return old.band }
    guard old.band == nil, token.firstPull == nil else { throw .raisedTooEarly }
    return SyncToken.Filter.Band(above: old.max, position: 0)
  }

  private func bandPage(
    _ band: SyncToken.Filter.Band, _ token: SyncToken, _ reading: FilteredReading,
    _ transaction: some StorageTransaction
  ) throws -> FeedPage<SeenRow> {
    guard let row = try transaction.zone(feed.zone), !row.isDeleted else {
      throw RequestFailure.zoneNotFound(feed.zone.name)
    }
    try feed.check(token, row)
    let found = try transaction.changes(
      of: feed.zone, after: band.position, upTo: token.sequence, order: .oldestFirst,
      limit: feed.limit, withTombstones: false)
    var rest: SyncToken.Filter.Band?
    if found.next != nil, let last = found.rows.last {
      rest = SyncToken.Filter.Band(above: band.above, position: last.sequence)
    }
    var next = token
    next.filter = reading.mark(band: rest)
    return FeedPage(
      elements: found.rows.filter { reading.isWithin(band, $0) }.map { SeenRow(row: $0) },
      token: next, isMoreComing: rest != nil || row.sequence > token.sequence)
  }
}

/// A record as a reader is told of it.
struct SeenRow: Hashable, Sendable {
  var row: RecordRow
  /// Whether it is only said that the record is no longer among those that the reader wants.
  var hasLeft = false
}

/// A filter, ready to be held against many records.
struct FilteredReading {
  let filter: VersionFilter
  let fingerprint: UInt64
  private let reader: VersionReader

  init(_ filter: VersionFilter) {
    self.filter = filter
    fingerprint = filter.fingerprint
    reader = VersionReader(filter)
  }

  /// Whether the record is made for a later version than the filter wants.
  func isAbove(_ row: RecordRow) -> Bool { version(row) > filter.max }

  /// Whether the record is wanted now and was not before.
  func isWithin(_ band: SyncToken.Filter.Band, _ row: RecordRow) -> Bool {
    let version = version(row)
    return version > band.above && version <= filter.max
  }

  /// What a token carries of the filter.
  func mark(band: SyncToken.Filter.Band?) -> SyncToken.Filter {
    SyncToken.Filter(fingerprint: fingerprint, max: filter.max, band: band)
  }

  private func version(_ row: RecordRow) -> Int64 {
    reader.version(ofType: row.type, row.fields)
  }
}

extension SyncToken {
  /// Whether who has the token had read nothing before the pass that is under way.
  fileprivate var isFirstPull: Bool {
    guard let firstPull else { return false }
    // A pass that reads the newest first has the number that its reader had before in front.
    let size = MemoryLayout<UInt64>.size
    guard firstPull.position.count > size else { return true }
    return FeedPosition.number(Array(firstPull.position[..<size])) == 0
  }
}

extension FeedPage {
  /// The same page with other elements; nil leaves one out.
  func replacingElements<Other: Sendable & Hashable>(
    _ replacement: (Element) -> Other?
  ) -> FeedPage<Other> {
    FeedPage<Other>(
      elements: elements.compactMap(replacement), token: token, isMoreComing: isMoreComing)
  }
}

extension RequestFailure {
  static let otherFilter = RequestFailure.badRequest(
    "the sync token was read by another version filter: only 'max' may be raised")
  static let raisedTooEarly = RequestFailure.badRequest(
    "a version filter is raised between two passes: end this one with the filter that it began with"
  )
}
