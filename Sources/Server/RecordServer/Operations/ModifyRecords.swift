import RecordWire

/// `records/modify`: saves and deletes records.
enum ModifyRecords: Operation {
  static let path = "records/modify"

  static func answer(
    _ request: ModifyRequest, _ context: OperationContext
  ) async throws -> RecordsResponse {
    let zone = try zone(of: request, context)
    let (call, service) = (context.call, context.service)
    let source = call.source
    let names = request.operations.map { $0.record.recordName == nil ? source.recordName() : "" }
    let done = try await service.write(to: zone.database) { transaction in
      let schema = try service.schemas.current(in: transaction)
      let row = try transaction.zoneForWriting(zone, epoch: source.epoch)
      var run = ModifyCall(
        request, zone: zone, caller: call.caller, schema: schema.container,
        resolved: schema.resolved, stamp: call.stamp, newNames: names)
      run.assets = service.assets.map { AssetGate(seal: $0.seal, container: $0.container) }
      run.bytesMax = service.limits.bytesMax(of: zone.database)
      run.cascadeRecordsMax = service.limits.cascadeRecordsMax
      run.deleteSelfSourcesMax = service.limits.deleteSelfSourcesMax
      let outcome = try ModifyRun(run, in: transaction).run()
      if let next = outcome.schema {
        try transaction.setSchema(try next.stored(), version: next.version)
      }
      return Done(
        outcome: outcome, schema: schema, before: row, zone: try transaction.zone(zone) ?? row,
        readable: ReadableRecords(zone, call.caller, schema.resolved))
    }
    if let next = done.outcome.schema {
      service.schemas.keep(CurrentSchema(next, service.environment))
      service.choresWait()
    } else {
      // What the transaction read is committed by now, also where another one of the same commit wrote it.
      service.schemas.keep(done.schema)
    }
    return try response(request, done, context)
  }

  private struct Done: Sendable {
    var outcome: ModifyOutcome
    var schema: CurrentSchema
    var before: ZoneRow
    var zone: ZoneRow
    var readable: ReadableRecords
  }

  /// The one zone of a request: its own, or else that of its records.
  private static func zone(
    of request: ModifyRequest, _ context: OperationContext
  ) throws(RequestFailure) -> ZoneKey {
    let named = request.zone.map { [$0] } ?? []
    var found: ZoneKey?
    for zone in named + request.operations.compactMap(\.record.zone) {
      let key = try context.zones.key(zone)
      if let first = found, first != key {
        throw .badRequest("all records of a request have to be in one zone")
      }
      found = key
    }
    if let found { return found }
    return try context.zones.key(nil)
  }

  private static func response(
    _ request: ModifyRequest, _ done: Done, _ context: OperationContext
  ) throws -> RecordsResponse {
    let identity = done.zone.key.identity
    let assets = context.reading(done.zone.key)
    var readable = done.readable
    let results = try zip(request.operations, done.outcome.entries).map { operation, entry in
      let shape = AnswerShape(
        desiredKeys: operation.desiredKeys ?? request.desiredKeys,
        numbersAsStrings: operation.numbersAsStrings ?? request.numbersAsStrings,
        assets: assets)
      return try result(entry, shape, identity, &readable)
    }
    // Who has what the zone was before has what it is now; but for records that were deleted with others,
    // of which the answer says nothing.
    let givesBefore = request.wantsTokens && done.outcome.cascaded.isEmpty
    return RecordsResponse(
      records: results,
      syncToken: givesBefore || context.call.wantsSyncToken ? done.zone.token.text : nil,
      tokenBefore: givesBefore ? done.before.token.text : nil)
  }

  private static func result(
    _ entry: ModifyOutcome.Entry, _ shape: AnswerShape, _ zone: ZoneIdentity,
    _ readable: inout ReadableRecords
  ) throws -> RecordResult {
    switch entry {
    case .saved(let row):
      .record(
        readable.mayRead(row) ? try shape.record(row, in: zone) : shape.receipt(row, in: zone))
    case .deleted(_, let row?): .record(try shape.record(row, in: zone))
    case .deleted(let name, nil):
      .record(.tombstone(RecordIdentity(recordName: name, zone: zone)))
    case .failed(let name, let failure): .failure(ItemFailure(.record(name), failure))
    }
  }
}

extension ServiceLimits {
  /// The most bytes that a database's records may take.
  func bytesMax(of database: DatabaseKey) -> Int64 {
    database.scope == .everyone ? publicBytesMax : privateBytesMax
  }

  /// The most bytes that the files of a database's assets may have.
  public func assetBytesMax(of database: DatabaseKey) -> Int64 {
    database.scope == .everyone ? publicAssetBytesMax : privateAssetBytesMax
  }
}
