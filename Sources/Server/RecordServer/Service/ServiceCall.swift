public import RecordWire

/// One request, as far as the HTTP layer has understood it: who asks, of which database, and when.
public struct ServiceCall: Sendable {
  /// The database.
  public var scope: DatabaseScope
  /// Who asks.
  public var caller: RecordCaller
  /// What is known of the caller's person.
  public var person: UserIdentity
  /// The device that records are stamped with.
  public var deviceID: String
  /// Milliseconds since 1970.
  public var now: Int64
  /// Whether the answer shall have the zone's sync token: `getCurrentSyncToken=true`.
  public var wantsSyncToken = false
  /// Where names and numbers come from that nobody has used before.
  public var source: FreshSource

  /// Describes a request.
  public init(
    _ scope: DatabaseScope, caller: RecordCaller, now: Int64, source: FreshSource,
    person: UserIdentity? = nil, deviceID: String = RecordStamp.webDevice
  ) {
    self.scope = scope
    self.caller = caller
    self.person = person ?? UserIdentity(userRecordName: caller.user)
    self.deviceID = deviceID
    self.now = now
    self.source = source
  }

  /// When, by whom and where records are written by this request.
  var stamp: RecordStamp {
    RecordStamp(timestamp: now, userRecordName: caller.user, deviceID: deviceID)
  }
}

/// Where names and numbers come from that nobody has used before.
///
/// The server core draws none itself, so that a simulation can replay all that it does.
public struct FreshSource: Sendable {
  /// A name for a record: a UUID in upper case.
  public var recordName: @Sendable () -> String
  /// A number that tells an epoch from any other.
  public var epoch: @Sendable () -> UInt64

  /// Draws from these functions.
  public init(
    recordName: @escaping @Sendable () -> String, epoch: @escaping @Sendable () -> UInt64
  ) {
    self.recordName = recordName
    self.epoch = epoch
  }
}
