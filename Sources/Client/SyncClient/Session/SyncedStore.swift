public import DataModel
public import ObjectStore
import RecordWire
import SQLiteDriver
public import SyncCore

extension SyncConfiguration {
  /// What a store is synced with, as it was set up, and up to which version its program understands records;
  /// throws `notSetUp` for one that is not.
  public init(of store: Store) throws {
    let status = try SyncStatus.read(store)
    let (profile, owner, known) = try store.readRows { connection in
      let rows = SyncRows(connection: connection)
      return (
        try rows.text(.profile).flatMap(MappingProfile.init(rawValue:)) ?? .native,
        try rows.zones().first?.identity.owner,
        try rows.text(.known).map(KnownParts.init(text:))
      )
    }
    self.init(
      server: status.server, container: status.container, environment: status.environment,
      profile: profile, zone: ZoneIdentity(name: status.zone, owner: owner))
    versionMax = known?.versionMax
  }

  /// Sets a store up for sync, without asking the server; does nothing where it was set up so before.
  ///
  /// What the store has already is sent as new by the first pass.
  public func setUp(_ store: Store, environment: SyncEnvironment = .system) throws {
    var random = environment.random
    _ = try SyncSession(
      store, self, device: DeviceNumber(rawValue: random.next()), random: random)
  }
}

extension Store {
  /// Does about the trouble that sync has met what `policy` says, without asking the server: the next pass
  /// goes on from there.
  ///
  /// Throws `notFound` where nothing has to be decided, and `busy` while another process syncs the store.
  public func resolveTrouble(
    _ policy: TroublePolicy, environment: SyncEnvironment = .system
  ) throws {
    var random = environment.random
    try withExtendedLifetime(SyncLease(location)) {
      let session = try SyncSession(
        self, SyncConfiguration(of: self), device: DeviceNumber(rawValue: random.next()),
        random: random)
      try session.resolve(policy, now: environment.now())
    }
  }
}

extension Store {
  /// How many records are kept that are no objects here, since they are made for later versions of the
  /// program: its users may want to update it.
  public func laterRecordCount() throws -> Int {
    try readRows { connection in
      guard try SyncTables.areThere(connection) else { return 0 }
      // Pairs wait for their ends; that is another reason.
      let count = try SyncRows(connection: connection).integer(
        """
        SELECT count(*) FROM contrail_sync_record AS r WHERE r.owner = 0 \
        AND EXISTS (SELECT 1 FROM contrail_sync_base WHERE record = r.number) \
        AND NOT EXISTS (SELECT 1 FROM contrail_sync_waiting WHERE record = r.number)
        """)
      return Int(clamping: count ?? 0)
    }
  }
}

/// A change that somebody has to do something about.
public struct FailedChange: Hashable, Sendable {
  /// The record's name.
  public var recordName: String
  /// The record's type.
  public var recordType: String
  /// The object; nil where the record is none: a pair's, or that of an object that was deleted elsewhere.
  public var object: ObjectIdentity?
  /// What was to be done.
  public var kind: LocalChange.Kind
  /// The server's code, or one of `SyncFailureCode`.
  public var code: String
  /// What happened, in words.
  public var reason: String
  /// How often it was tried.
  public var attempts: Int
  /// When it was made, in milliseconds since 1970.
  public var time: Int64
  /// The fields with their values, as JSON, where they are nowhere else any more.
  public var kept: String?
}

extension Store {
  /// The changes that somebody has to do something about, the oldest first.
  public func failedChanges() throws -> [FailedChange] {
    try readRows { connection in
      let rows = SyncRows(connection: connection)
      guard try SyncTables.areThere(connection) else { return [] }
      return try rows.changes(in: .failed, limit: .max).compactMap { change in
        guard let record = try rows.record(number: change.record) else { return nil }
        return FailedChange(
          recordName: record.name, recordType: record.type,
          object: identity(of: record.owner), kind: change.change.kind,
          code: change.code ?? "", reason: change.reason ?? "",
          attempts: Int(clamping: change.attempts), time: change.time,
          kept: change.kept.map { String(decoding: $0.json, as: UTF8.self) })
      }
    }
  }
}

extension Store {
  fileprivate func identity(of owner: RecordRow.Owner) -> ObjectIdentity? {
    guard case .object(let number, let key) = owner, let entity = layout.entity(number: number)
    else { return nil }
    return ObjectIdentity(store: identifier, entity: entity.name, key: key)
  }
}
