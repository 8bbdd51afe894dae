import RecordWire

/// Which zones a request may name, and by which keys they are stored.
struct ZoneResolution: Sendable {
  let call: ServiceCall

  /// The word for the owner that clients use who do not know their own name.
  static let currentOwner = "__defaultOwner__"

  /// The database that the request is about.
  ///
  /// Nobody has shared anything with anybody: a shared database has no zones.
  func database() throws(RequestFailure) -> DatabaseKey {
    switch call.scope {
    case .public: return .everyone
    case .private, .shared:
      guard let user = call.caller.user else { throw RequestFailure(.authenticationRequired) }
      return .user(user)
    }
  }

  /// The key of a zone that the request names; without one it is the default zone.
  func key(_ zone: ZoneIdentity?) throws(RequestFailure) -> ZoneKey {
    let zone = zone ?? .defaultZone
    let database = try database()
    if call.scope == .shared { throw .zoneNotFound(zone.name) }
    switch database.scope {
    case .everyone:
      // Clients write whatever they take for the owner of the public database.
      guard zone.isDefault else { throw .zoneNotFound(zone.name) }
    case .user:
      if let owner = zone.owner, owner != database.owner, owner != Self.currentOwner {
        throw .zoneNotFound(zone.name)
      }
    }
    return ZoneKey(database, zone.name)
  }
}

extension ZoneKey {
  /// The zone as answers name it.
  var identity: ZoneIdentity {
    ZoneIdentity(name: name, owner: database.owner, kind: isDefault ? .standard : .custom)
  }

  /// Whether this is the zone that every database has.
  var isDefault: Bool { name == ZoneIdentity.defaultName }

  /// Whether several operations can be one, and changes be read: in zones that somebody made.
  var isCustom: Bool { database.scope == .user && !isDefault }
}

extension StorageTransaction {
  /// The zone, if it is there: every database has the default zone, though it is only made by the
  /// first save.
  func liveZone(_ key: ZoneKey) throws -> ZoneRow? {
    if let row = try zone(key), !row.isDeleted { return row }
    if key.isDefault { return nil }
    throw RequestFailure.zoneNotFound(key.name)
  }

  /// The zone, made now if it is the default zone of a database that nobody has written to.
  func zoneForWriting(_ key: ZoneKey, epoch: () -> UInt64) throws -> ZoneRow {
    try liveZone(key) ?? createZone(key, epoch: epoch())
  }
}
