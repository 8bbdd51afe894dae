/// Asks for records by their names: the request of `records/lookup`.
public struct LookupRequest: Hashable, Sendable {
  /// One record that is asked for.
  public struct Item: Hashable, Sendable {
    /// Its name.
    public var recordName: String
    /// The fields that the answer shall have; nil means as for the whole request.
    public var desiredKeys: DesiredKeys?

    /// Asks for a record.
    public init(recordName: String, desiredKeys: DesiredKeys? = nil) {
      self.recordName = recordName
      self.desiredKeys = desiredKeys
    }
  }

  /// The records, in the order of the answer.
  public var records: [Item]
  /// The zone of all of them; nil means the default zone.
  public var zone: ZoneIdentity?
  /// The fields that the answer shall have; nil means all.
  public var desiredKeys: DesiredKeys?
  /// Whether the answer shall spell numbers as strings.
  public var numbersAsStrings: Bool

  /// Makes a request.
  public init(
    records: [Item], zone: ZoneIdentity? = nil, desiredKeys: DesiredKeys? = nil,
    numbersAsStrings: Bool = false
  ) {
    self.records = records
    self.zone = zone
    self.desiredKeys = desiredKeys
    self.numbersAsStrings = numbersAsStrings
  }
}

/// The answer to `records/modify`, `records/query` and `records/lookup`.
public struct RecordsResponse: Hashable, Sendable {
  /// One entry for each item of the request, in its order; for a query, the page.
  public var records: [RecordResult]
  /// Where a query goes on; nil when it is done.
  public var continuationMarker: String?
  /// The zone's token, for those who asked for it by `getCurrentSyncToken=true`.
  public var syncToken: String?
  /// The token that the zone had before what the request did, where `syncToken` is the one after and nothing
  /// else lies between them: Contrail's own, for those who asked for it.
  public var tokenBefore: String?

  /// Makes an answer.
  public init(
    records: [RecordResult], continuationMarker: String? = nil, syncToken: String? = nil,
    tokenBefore: String? = nil
  ) {
    self.records = records
    self.continuationMarker = continuationMarker
    self.syncToken = syncToken
    self.tokenBefore = tokenBefore
  }
}
