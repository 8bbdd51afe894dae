/// What a reader of changes wants to see of them; nil means whatever the outer level says, and there
/// whatever the server does.
public struct ChangeOptions: Hashable, Sendable {
  /// The fields that records shall have; nil means all.
  public var desiredKeys: DesiredKeys?
  /// The types of records; nil means all.
  public var desiredRecordTypes: DesiredKeys?
  /// The most records of one page.
  public var resultsLimit: Int?
  /// Whether the newest come first.
  public var isReversed: Bool?
  /// Whether numbers shall be spelled as strings.
  public var numbersAsStrings: Bool?
  /// About how many bytes of fields a page shall have, instead of so many records: Contrail's own.
  ///
  /// A server that does not know it sends pages as without it.
  public var pageBytes: Int?
  /// Which records shall be left out since they are made for later versions: Contrail's own.
  public var versionFilter: VersionFilter?
  /// Whether whoever reads a zone from its beginning is told of deletions too: Contrail's own.
  ///
  /// Who has sent records of which it does not know whether they arrived can tell from it that they did, and
  /// were deleted since.
  public var withTombstones: Bool?

  /// Wants everything.
  public init(
    desiredKeys: DesiredKeys? = nil, desiredRecordTypes: DesiredKeys? = nil,
    resultsLimit: Int? = nil, isReversed: Bool? = nil, numbersAsStrings: Bool? = nil,
    pageBytes: Int? = nil, versionFilter: VersionFilter? = nil, withTombstones: Bool? = nil
  ) {
    self.desiredKeys = desiredKeys
    self.desiredRecordTypes = desiredRecordTypes
    self.resultsLimit = resultsLimit
    self.isReversed = isReversed
    self.numbersAsStrings = numbersAsStrings
    self.pageBytes = pageBytes
    self.versionFilter = versionFilter
    self.withTombstones = withTombstones
  }

  /// These options, and where they say nothing, `outer`.
  public func merged(over outer: ChangeOptions) -> ChangeOptions {
    ChangeOptions(
      desiredKeys: desiredKeys ?? outer.desiredKeys,
      desiredRecordTypes: desiredRecordTypes ?? outer.desiredRecordTypes,
      resultsLimit: resultsLimit ?? outer.resultsLimit,
      isReversed: isReversed ?? outer.isReversed,
      numbersAsStrings: numbersAsStrings ?? outer.numbersAsStrings,
      pageBytes: pageBytes ?? outer.pageBytes,
      versionFilter: versionFilter ?? outer.versionFilter,
      withTombstones: withTombstones ?? outer.withTombstones)
  }
}

/// Asks for what changed in one zone: the request of `records/changes`, and one entry of
/// `changes/zone`.
public struct RecordChangesRequest: Hashable, Sendable {
  /// The zone.
  public var zone: ZoneIdentity
  /// Where to go on; nil means from the beginning.
  public var syncToken: String?
  /// What to see.
  public var options: ChangeOptions

  /// Makes a request.
  public init(
    zone: ZoneIdentity, syncToken: String? = nil, options: ChangeOptions = ChangeOptions()
  ) {
    self.zone = zone
    self.syncToken = syncToken
    self.options = options
  }
}

/// A page of what changed in one zone: the answer to `records/changes`.
public struct RecordChangesResponse: Hashable, Sendable {
  /// Records at their newest state, and tombstones.
  public var records: [RecordResult]
  /// Where to go on.
  public var syncToken: String
  /// Whether there is more now.
  public var isMoreComing: Bool

  /// Makes a page.
  public init(records: [RecordResult], syncToken: String, isMoreComing: Bool) {
    self.records = records
    self.syncToken = syncToken
    self.isMoreComing = isMoreComing
  }
}

/// Asks for what changed in several zones: the request of `changes/zone`.
public struct ZoneChangesRequest: Hashable, Sendable {
  /// The zones; their own options go before those of the whole.
  public var zones: [RecordChangesRequest]
  /// What to see where a zone says nothing.
  public var options: ChangeOptions

  /// Makes a request.
  public init(zones: [RecordChangesRequest], options: ChangeOptions = ChangeOptions()) {
    self.zones = zones
    self.options = options
  }
}

/// What changed in several zones: the answer to `changes/zone`.
public struct ZoneChangesResponse: Hashable, Sendable {
  /// One zone's part: a page, or why there is none.
  public enum Entry: Hashable, Sendable {
    /// A page of the zone's changes.
    case page(ZoneIdentity, RecordChangesResponse)
    /// Why there is none.
    case failure(ItemFailure)
  }

  /// One entry for each zone of the request, in its order.
  public var zones: [Entry]

  /// Makes an answer.
  public init(zones: [Entry]) { self.zones = zones }
}

/// Asks which zones changed: the request of `changes/database`.
public struct DatabaseChangesRequest: Hashable, Sendable {
  /// Where to go on; nil means from the beginning.
  public var syncToken: String?
  /// The most zones of one page.
  public var resultsLimit: Int?

  /// Makes a request.
  public init(syncToken: String? = nil, resultsLimit: Int? = nil) {
    self.syncToken = syncToken
    self.resultsLimit = resultsLimit
  }
}

/// Which zones changed: the answer to `changes/database`.
public struct DatabaseChangesResponse: Hashable, Sendable {
  /// Zones with changes, and deleted ones.
  public var zones: [ZoneResult]
  /// Where to go on.
  public var syncToken: String
  /// Whether there is more now.
  public var isMoreComing: Bool

  /// Makes an answer.
  public init(zones: [ZoneResult], syncToken: String, isMoreComing: Bool) {
    self.zones = zones
    self.syncToken = syncToken
    self.isMoreComing = isMoreComing
  }
}
