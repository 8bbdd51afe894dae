import RecordWire

/// `changes/database`: the zones in which something changed.
enum DatabaseChanges: ReadingOperation {
  static let path = "changes/database"

  static func answer(
    _ request: DatabaseChangesRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> DatabaseChangesResponse {
    let database = try context.zones.database(ofFeed: context.call)
    let token = try request.syncToken.map(SyncToken.init(received:))
    let most = context.limits.pageZonesMax
    let feed = DatabaseFeed(database, limit: min(most, request.resultsLimit ?? most))
    let page = try feed.page(after: token, in: reading.transaction)
    return DatabaseChangesResponse(
      zones: page.elements.filter { !$0.key.isDefault }.map { .zone($0.inFeed) },
      syncToken: page.token.text, isMoreComing: page.isMoreComing)
  }
}

/// `zones/changes`: the same for older clients, whose token goes by another name.
enum OlderDatabaseChanges: ReadingOperation {
  static let path = "zones/changes"

  static func answer(
    _ request: ZonesChangesRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> ZonesChangesResponse {
    let page = try DatabaseChanges.answer(
      DatabaseChangesRequest(
        syncToken: request.metaSyncToken, resultsLimit: request.resultsLimit), context, in: reading)
    return ZonesChangesResponse(
      zones: page.zones, metaSyncToken: page.syncToken, isMoreComing: page.isMoreComing)
  }
}

extension ZoneResolution {
  /// Where the changes of a database are counted.
  ///
  /// Nobody has shared anything: a shared database has a counter that never moves.
  fileprivate func database(ofFeed call: ServiceCall) throws(RequestFailure) -> DatabaseKey {
    let database = try database()
    return call.scope == .shared ? .nobody(for: database.owner) : database
  }
}

extension DatabaseKey {
  /// A database that nothing is ever written to, for what others share with a user.
  static func nobody(for user: String) -> DatabaseKey { .user("\(user)/shared") }
}

extension ZoneRow {
  /// The zone as the feed of its database has it.
  fileprivate var inFeed: RecordZone {
    RecordZone(key.identity, isDeleted: isDeleted)
  }
}
