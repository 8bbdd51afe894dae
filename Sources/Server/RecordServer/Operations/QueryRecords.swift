import RecordWire

/// `records/query`: records by their values.
enum QueryRecords: ReadingOperation {
  static let path = "records/query"

  static func answer(
    _ request: QueryRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> RecordsResponse {
    let database = try context.zones.database()
    let named = try zone(of: request, context)
    let (transaction, schema) = (reading.transaction, try reading.schema())
    let zones =
      try named.map { [$0] }
      ?? transaction.liveZones(of: database, limit: context.limits.zonesReadMax).map(\.key)
    var run = QueryRun(
      request, zones: zones, caller: context.call.caller, schema: schema.resolved)
    run.bytesMax = context.limits.pageBytesMax
    let page = try run.page(in: transaction)
    let shape = AnswerShape(
      desiredKeys: request.desiredKeys, numbersAsStrings: request.numbersAsStrings,
      assets: context.reading(ZoneKey(database, ZoneIdentity.defaultName)))
    let token = try named.flatMap { try transaction.liveZone($0)?.token.text }
    return RecordsResponse(
      records: try page.records.map {
        .record(try shape.record($0.row, in: $0.zone.identity))
      },
      continuationMarker: page.marker?.text,
      syncToken: context.call.wantsSyncToken ? token : nil)
  }

  /// The one zone that is asked; nil for all.
  private static func zone(
    of request: QueryRequest, _ context: OperationContext
  ) throws(RequestFailure) -> ZoneKey? {
    if request.zone == nil, request.isZoneWide == true, context.call.scope == .private {
      return nil
    }
    return try context.zones.key(request.zone)
  }
}
