import RecordWire

/// `zones/list`: every zone of a database.
enum ListZones: ReadingOperation {
  static let path = "zones/list"

  static func answer(
    _ request: EmptyRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> ZonesResponse {
    let database = try context.zones.database()
    if context.call.scope == .shared { return ZonesResponse(zones: []) }
    let standard = ZoneKey(database, ZoneIdentity.defaultName)
    let made = try reading.transaction.liveZones(of: database, limit: context.limits.zonesReadMax)
      .filter { !$0.key.isDefault }
    return ZonesResponse(
      zones: [.zone(RecordZone(standard.identity, isAtomic: false))]
        + made.map { .zone($0.inList) })
  }
}

/// `zones/lookup`: zones by their names.
enum LookupZones: ReadingOperation {
  static let path = "zones/lookup"

  static func answer(
    _ request: ZoneLookupRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> ZonesResponse {
    ZonesResponse(
      zones: try request.zones.map { identity in
        do {
          let key = try context.zones.key(identity)
          let row = try reading.transaction.liveZone(key)
          return .zone(row?.inList ?? RecordZone(key.identity, isAtomic: false))
        } catch let failure as RequestFailure {
          return .failure(ItemFailure(.zone(identity), failure))
        }
      })
  }
}

/// `zones/modify`: makes and deletes zones, each by itself.
enum ModifyZones: Operation {
  static let path = "zones/modify"

  static func answer(
    _ request: ZoneModifyRequest, _ context: OperationContext
  ) async throws -> ZonesResponse {
    let response = try await context.service.write(to: try context.zones.database()) {
      transaction in
      ZonesResponse(
        zones: try request.operations.map { operation in
          do {
            let key = try context.zones.key(operation.zone)
            return .zone(try run(operation.kind, key, transaction, context))
          } catch let failure as RequestFailure {
            return .failure(ItemFailure(.zone(operation.zone), failure))
          }
        })
    }
    if request.operations.contains(where: { $0.kind == .delete }) { context.service.choresWait() }
    return response
  }

  private static func run(
    _ kind: ZoneModifyRequest.Operation.Kind, _ key: ZoneKey,
    _ transaction: any StorageTransaction, _ context: OperationContext
  ) throws -> RecordZone {
    switch kind {
    case .create: return try create(key, transaction, context)
    case .delete:
      if key.isDefault { throw RequestFailure.badRequest("the default zone cannot be deleted") }
      guard let row = try transaction.zone(key), !row.isDeleted else {
        throw RequestFailure.zoneNotFound(key.name)
      }
      try transaction.deleteZone(key, at: context.call.now)
      return RecordZone(key.identity, isDeleted: true)
    }
  }

  /// Makes a zone; one that is there already is as good as a new one.
  private static func create(
    _ key: ZoneKey, _ transaction: any StorageTransaction, _ context: OperationContext
  ) throws -> RecordZone {
    if let row = try transaction.zone(key), !row.isDeleted { return row.inList }
    if key.isDefault { return RecordZone(key.identity, isAtomic: false) }
    if key.name.isEmpty || key.name.hasPrefix("_") {
      throw RequestFailure.badRequest("'\(key.name)' cannot be the name of a zone")
    }
    guard try transaction.liveZoneCount(of: key.database) < context.limits.zonesMax else {
      throw RequestFailure(
        .quotaExceeded, reason: "a database has at most \(context.limits.zonesMax) zones")
    }
    return try transaction.createZone(key, epoch: context.call.source.epoch()).inList
  }
}

extension ZoneRow {
  /// The zone as lists of zones have it.
  fileprivate var inList: RecordZone {
    RecordZone(
      key.identity, syncToken: key.isCustom ? token.text : nil, isAtomic: key.isCustom)
  }
}
