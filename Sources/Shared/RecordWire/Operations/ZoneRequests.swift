/// A zone, as lists of zones have it.
public struct RecordZone: Hashable, Sendable {
  /// Which zone.
  public var zone: ZoneIdentity
  /// Where its changes stand.
  public var syncToken: String?
  /// Whether it can do several operations as one.
  public var isAtomic: Bool?
  /// Whether it was deleted.
  public var isDeleted: Bool

  /// Makes a zone.
  public init(
    _ zone: ZoneIdentity, syncToken: String? = nil, isAtomic: Bool? = nil, isDeleted: Bool = false
  ) {
    self.zone = zone
    self.syncToken = syncToken
    self.isAtomic = isAtomic
    self.isDeleted = isDeleted
  }
}

/// One entry of a list of zones in an answer: a zone, or why there is none.
public enum ZoneResult: Hashable, Sendable {
  /// The zone.
  case zone(RecordZone)
  /// What went wrong with it.
  case failure(ItemFailure)
}

/// A request that says nothing: that of `zones/list`, `users/caller` and `users/current`.
public struct EmptyRequest: Hashable, Sendable {
  /// Makes one.
  public init() {}
}

/// Asks for zones by their names: the request of `zones/lookup`.
public struct ZoneLookupRequest: Hashable, Sendable {
  /// The zones, in the order of the answer.
  public var zones: [ZoneIdentity]

  /// Makes a request.
  public init(zones: [ZoneIdentity]) { self.zones = zones }
}

/// Creates and deletes zones: the request of `zones/modify`.
public struct ZoneModifyRequest: Hashable, Sendable {
  /// One zone that is created or deleted.
  public struct Operation: Hashable, Sendable {
    /// What is done.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// Makes the zone.
      case create
      /// Deletes the zone with all its records.
      case delete
    }

    /// What is done.
    public var kind: Kind
    /// The zone.
    public var zone: ZoneIdentity

    /// Makes an operation.
    public init(_ kind: Kind, _ zone: ZoneIdentity) {
      self.kind = kind
      self.zone = zone
    }
  }

  /// What to do, in this order.
  public var operations: [Operation]

  /// Makes a request.
  public init(operations: [Operation]) { self.operations = operations }
}

/// The answer to `zones/list`, `zones/lookup` and `zones/modify`.
public struct ZonesResponse: Hashable, Sendable {
  /// The zones, in the order of the request where it names some.
  public var zones: [ZoneResult]

  /// Makes an answer.
  public init(zones: [ZoneResult]) { self.zones = zones }
}
