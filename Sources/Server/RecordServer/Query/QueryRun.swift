import DataModel
public import RecordWire

/// One page of a query's results.
public struct QueryPage: Sendable, Hashable {
  /// The records, in the order of the query.
  public var records: [FoundRecord]
  /// Where the next page begins; nil after the last.
  public var marker: ContinuationMarker?
}

/// Runs one call of `records/query`.
///
/// Indexes give candidates in whatever way costs least; one judge decides which of them are found. The
/// order depends on the query alone, and a page goes on behind the last place of the one before, so
/// that nothing comes twice and nothing is left out while records stay as they are.
public struct QueryRun: Sendable {
  private let request: QueryRequest
  private let zones: [ZoneKey]
  private let caller: RecordCaller
  private let schema: ResolvedSchema
  /// How many records a page looks at, and sorts; tests have fewer.
  var examinedMax = QueryLimits.examinedMax
  var sortedMax = QueryLimits.sortedMax
  /// How many bytes of fields a page has, unless one record alone has more.
  var bytesMax = Int.max

  /// Prepares a call: `zones` are of one database, one or, where all are asked, all of them.
  public init(
    _ request: QueryRequest, zones: [ZoneKey], caller: RecordCaller, schema: ResolvedSchema
  ) {
    self.request = request
    self.zones = zones
    self.caller = caller
    self.schema = schema
  }

  /// The page that the request asks for; throws `RequestFailure` where it cannot be had.
  public func page(in transaction: any StorageTransaction) throws -> QueryPage {
    let query = try CheckedQuery(request.query, schema)
    let rights = try rights()
    let hash = try hash()
    let epoch = try transaction.epoch()
    let after = try position(hash, epoch, query.order)
    let pending = try transaction.pendingIndexes()
    for need in query.needs where !need.isMet(pending) { throw Self.incomplete(need) }
    let limit = min(max(request.resultsLimit ?? QueryLimits.pageMax, 1), QueryLimits.pageMax)
    let states = IndexStates(pending, query.type)
    let (budget, sorted) = (QueryBudget(examinedMax), QueryBudget(sortedMax))
    let zones = try liveZones(transaction)
    let slice = QueryLimits.sliceMax(zones: zones.count, examinedMax: examinedMax)
    let cursors = try zones.map { zone in
      let judge = CandidateJudge(
        match: QueryMatch(query.filters, zone: zone.name), order: query.order, zone: zone,
        after: after, rights: rights)
      let plan = try ZonePlanner(
        query, zone, limit: limit, hasNames: states.hasNames, incomplete: states.incomplete,
        in: transaction
      ).plan()
      return try ZoneQuery(
        query: query, plan: plan, judge: judge, limit: limit + 1, budget: budget,
        sliceMax: slice, sortedMax: sortedMax, sorted: sorted, transaction: transaction
      ).cursor()
    }
    var merge = try CursorMerge(cursors, query.order, budget)
    let (hits, end) = try merge.take(limit)
    let (records, cut) = try rows(hits, transaction)
    return QueryPage(
      records: records,
      marker: (cut ?? end).map {
        ContinuationMarker(epoch: epoch, query: hash, position: $0.bytes)
      })
  }

  private static func incomplete(_ need: IndexNeed) -> RequestFailure {
    let name = SystemField(schemaName: need.field)?.rawValue ?? need.field
    return .indexIncomplete(name)
  }

  /// What the caller may read in the public database; nil for one's own.
  private func rights() throws(RequestFailure) -> RecordRights? {
    guard zones.first?.database.scope == .everyone else { return nil }
    let rights = schema.rights(of: caller, onType: request.query.recordType)
    guard rights.mayReadSome else { throw .notPermitted }
    return rights
  }

  /// The zones that are there; a default zone is made by the first save.
  private func liveZones(_ transaction: any StorageTransaction) throws -> [ZoneKey] {
    try zones.filter { key in
      if let zone = try transaction.zone(key), !zone.isDeleted { return true }
      if key.name == ZoneIdentity.defaultName || request.isForAllZones { return false }
      throw RequestFailure.zoneNotFound(key.name)
    }
  }

  /// The records of a page, and where it ends if they have too many bytes to be all.
  private func rows(
    _ hits: [QueryHit], _ transaction: any StorageTransaction
  ) throws -> (records: [FoundRecord], cut: QueryOrder.Position?) {
    var records: [FoundRecord] = []
    var bytes = 0
    var last: QueryOrder.Position?
    for hit in hits {
      let row = try hit.row ?? transaction.records([hit.position.name], in: hit.zone).first ?? nil
      guard let row else { continue }
      let (sum, isOver) = bytes.addingReportingOverflow(row.byteCount)
      if isOver || sum > bytesMax, let last { return (records, last) }
      bytes = sum
      last = hit.position
      records.append(FoundRecord(hit.zone, row))
    }
    return (records, nil)
  }
}

// Markers.
extension QueryRun {
  private func position(
    _ hash: UInt64, _ epoch: UInt64, _ order: QueryOrder
  ) throws(RequestFailure) -> QueryOrder.Position? {
    guard let text = request.continuationMarker else { return nil }
    guard let marker = try? ContinuationMarker(text: text), marker.epoch == epoch,
      marker.query == hash,
      let position = QueryOrder.Position(marker.position, keyCount: order.keys.count)
    else { throw .otherMarker }
    return position
  }

  /// A hash of all that decides about the results and their order (FNV-1a, RFC 9923).
  private func hash() throws(RequestFailure) -> UInt64 {
    var asked = QueryRequest(request.query, zone: request.zone)
    asked.isZoneWide = request.isZoneWide
    let database = zones.first?.database
    let place = Array("\(database?.scope.rawValue ?? "") \(database?.owner ?? "") ".utf8)
    let question: [UInt8]
    do { question = try asked.json() } catch { throw error.requestFailure }
    return (place + question).reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}

extension QueryRequest {
  /// Whether all zones are asked: not where one is named.
  fileprivate var isForAllZones: Bool { zone == nil && isZoneWide == true }
}
