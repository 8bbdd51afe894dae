/// Saves and deletes records: the request of `records/modify`.
public struct ModifyRequest: Hashable, Sendable {
  /// What to do, in this order; one operation a record.
  public var operations: [RecordOperation]
  /// The zone of all records that name none; nil means the default zone.
  public var zone: ZoneIdentity?
  /// Whether all or none shall happen; nil means all, in a zone that can do so.
  public var isAtomic: Bool?
  /// The fields that the answer shall have; nil means all.
  public var desiredKeys: DesiredKeys?
  /// Whether the answer shall spell numbers as strings.
  public var numbersAsStrings: Bool
  /// Whether there may be more operations than the protocol allows: Contrail's own, for servers that
  /// say so in their capabilities.
  public var isBatch: Bool
  /// Whether the answer shall have the zone's tokens from before and after: Contrail's own.
  public var wantsTokens: Bool

  /// Makes a request.
  public init(
    operations: [RecordOperation], zone: ZoneIdentity? = nil, isAtomic: Bool? = nil,
    desiredKeys: DesiredKeys? = nil, numbersAsStrings: Bool = false, isBatch: Bool = false,
    wantsTokens: Bool = false
  ) {
    self.operations = operations
    self.zone = zone
    self.isAtomic = isAtomic
    self.desiredKeys = desiredKeys
    self.numbersAsStrings = numbersAsStrings
    self.isBatch = isBatch
    self.wantsTokens = wantsTokens
  }
}

/// One save or deletion of a record.
public struct RecordOperation: Hashable, Sendable {
  /// What is done.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Makes a record that must not be there yet.
    case create
    /// Sets the given fields, if the change tag is still the current one.
    case update
    /// Sets the given fields whatever the change tag, or makes the record.
    case forceUpdate
    /// Sets the given fields and clears the others, if the change tag is still the current one.
    case replace
    /// Sets the given fields and clears the others whatever the change tag, or makes the record.
    case forceReplace
    /// Deletes the record, if the change tag is still the current one.
    case delete
    /// Deletes the record whatever the change tag.
    case forceDelete

    /// Whether the record has to come with the change tag of the state that it changes.
    public var needsChangeTag: Bool { self == .update || self == .replace || self == .delete }
    /// Whether the record is gone afterwards.
    public var isDeletion: Bool { self == .delete || self == .forceDelete }
  }

  /// What is done.
  public var kind: Kind
  /// The record, as far as the operation needs it.
  public var record: Record
  /// The fields that the answer shall have; nil means as for the whole request.
  public var desiredKeys: DesiredKeys?
  /// Whether the answer shall spell numbers as strings; nil means as for the whole request.
  public var numbersAsStrings: Bool?

  /// Makes an operation.
  public init(_ kind: Kind, _ record: Record) {
    self.kind = kind
    self.record = record
  }
}
