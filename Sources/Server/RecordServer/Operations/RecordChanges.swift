import RecordWire

/// `records/changes`: what changed in one zone.
enum RecordChanges: ReadingOperation {
  static let path = "records/changes"

  static func answer(
    _ request: RecordChangesRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> RecordChangesResponse {
    try ZonePass(request, request.options, context).page(in: reading.transaction).answer
  }
}

/// `changes/zone`: what changed in several zones, each with its own error where it cannot be read.
enum ZoneChanges: ReadingOperation {
  static let path = "changes/zone"

  static func answer(
    _ request: ZoneChangesRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> ZoneChangesResponse {
    // All zones of one answer share its bytes: those that are read, however few of them are answered.
    var bytesLeft = context.limits.pageBytesMax
    return ZoneChangesResponse(
      zones: try request.zones.map { zone in
        do {
          var pass = try ZonePass(zone, zone.options.merged(over: request.options), context)
          pass.bytesMax = bytesLeft
          let page = try pass.page(in: reading.transaction)
          bytesLeft = max(0, bytesLeft - page.bytesRead)
          return .page(pass.zone.identity, page.answer)
        } catch let failure as RequestFailure {
          return .failure(ItemFailure(.zone(zone.zone), failure))
        }
      })
  }
}

/// One step of somebody who follows the changes of a zone.
struct ZonePass: Sendable {
  let zone: ZoneKey
  var bytesMax: Int
  private let token: SyncToken?
  private let options: ChangeOptions
  private let limits: ServiceLimits
  private let assets: AssetReading?

  init(
    _ request: RecordChangesRequest, _ options: ChangeOptions, _ context: OperationContext
  ) throws(RequestFailure) {
    zone = try context.zones.key(request.zone)
    guard zone.isCustom else { throw .noChangesOfDefaultZone }
    token = try request.syncToken.map(SyncToken.init(received:))
    self.options = options
    limits = context.limits
    assets = context.reading(zone)
    bytesMax = context.limits.pageBytesMax
  }

  /// How much of the zone the page has at most: so many records, or as many as fit into the bytes
  /// that the client asks for.
  private var limit: PageLimit {
    let recordsMax = options.pageBytes == nil ? limits.pageRecordsMax : limits.bulkPageRecordsMax
    return PageLimit(
      records: min(recordsMax, options.resultsLimit ?? recordsMax),
      bytes: min(bytesMax, options.pageBytes ?? bytesMax))
  }

  /// The next page, and how many bytes of fields were read for it.
  func page(
    in transaction: any StorageTransaction
  ) throws -> (answer: RecordChangesResponse, bytesRead: Int) {
    let order = options.isReversed == true ? ChangeOrder.newestFirst : .oldestFirst
    let feed = ZoneFeed(
      zone, limit: limit, order: order,
      firstPullHasTombstones: options.withTombstones ?? false)
    let page = try VersionedFeed(feed: feed, filter: options.versionFilter)
      .page(after: token, in: transaction)
    let shape = AnswerShape(
      desiredKeys: options.desiredKeys, numbersAsStrings: options.numbersAsStrings ?? false,
      assets: assets)
    let identity = zone.identity
    var records: [RecordResult] = []
    records.reserveCapacity(page.elements.count)
    for seen in page.elements
    where options.desiredRecordTypes?.contains(seen.row.type) ?? true {
      records.append(.record(try shape.record(seen, in: identity)))
    }
    return (
      RecordChangesResponse(
        records: records, syncToken: page.token.text, isMoreComing: page.isMoreComing),
      page.elements.reduce(0) { $0 + $1.row.byteCount }
    )
  }
}

extension SyncToken {
  /// Reads a token that a client sent.
  init(received text: String) throws(RequestFailure) {
    do throws(WireError) {
      try self.init(text: text)
    } catch {
      throw .otherToken
    }
  }
}
