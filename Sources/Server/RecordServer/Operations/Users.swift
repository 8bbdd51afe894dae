import RecordWire

/// `users/caller`: who asks.
enum CallingUser: Operation {
  static let path = "users/caller"

  static func answer(
    _ request: EmptyRequest, _ context: OperationContext
  ) async throws -> UserIdentity {
    guard let user = context.call.caller.user else {
      throw RequestFailure(.authenticationRequired)
    }
    try await UserRecord.make(for: user, context)
    return context.call.person
  }
}

/// `users/current`: who asks, as older clients ask it.
enum CurrentUser: Operation {
  static let path = "users/current"

  static func answer(
    _ request: EmptyRequest, _ context: OperationContext
  ) async throws -> UserIdentity {
    try await CallingUser.answer(request, context)
  }
}

/// `users/discover`: who others are, as far as they may be found: nobody has agreed to be found, so
/// each is answered with themselves only.
enum DiscoverUsers: Operation {
  static let path = "users/discover"

  static func answer(
    _ request: UserDiscoverRequest, _ context: OperationContext
  ) async throws -> UsersResponse {
    guard let user = context.call.caller.user else {
      throw RequestFailure(.authenticationRequired)
    }
    let person = context.call.person
    let isAsked = request.lookups.contains { lookup in
      switch lookup {
      case .userRecordName(let name): name == user
      case .emailAddress(let address): address == person.emailAddress
      case .phoneNumber: false
      }
    }
    return UsersResponse(users: isAsked ? [.user(person)] : [])
  }
}

/// The record of type Users that each user has in the public database, by the user's own name.
enum UserRecord {
  static let type = "Users"
  /// The field that only those who manage the server change.
  static let rolesField = "roles"

  /// Makes a user's record where there is none.
  static func make(for user: String, _ context: OperationContext) async throws {
    let zone = ZoneKey(.everyone, ZoneIdentity.defaultName)
    let isMade: Bool = try await context.service.storage.read { try isThere(user, zone, $0) }
    if isMade { return }
    let (stamp, epoch) = (context.call.stamp, context.call.source.epoch)
    let schemas = context.service.schemas
    try await context.service.storage.write { transaction in
      _ = try transaction.zoneForWriting(zone, epoch: epoch)
      if try isThere(user, zone, transaction) { return }
      let row = RecordRow(
        name: user, type: type, created: stamp, modified: stamp, fields: .empty)
      var write = RecordWrite(row)
      let schema = try schemas.current(in: transaction).resolved
      write.entries = schema.type(type)?.entries(of: row, RecordFields(), zone: zone.name) ?? []
      _ = try transaction.write([write], in: zone)
    }
  }

  private static func isThere(
    _ user: String, _ zone: ZoneKey, _ transaction: any StorageTransaction
  ) throws -> Bool {
    guard try transaction.liveZone(zone) != nil else { return false }
    return try transaction.records([user], in: zone).first.flatMap { $0 }.map { !$0.isDeleted }
      ?? false
  }
}
