/// One record, whole or in part: what a client saves, what a server answers, a tombstone.
public struct Record: Hashable, Sendable {
  /// The record's name, unique within its zone; nil where the server shall make one.
  public var recordName: String?
  /// The type in the schema; a tombstone or an update may lack it.
  public var recordType: String?
  /// The fields, as values or as bytes; nil where the wire has no `fields`.
  public var content: RecordContent?
  /// Which state of the record this is.
  public var changeTag: ChangeTag?
  /// When it was created, and by whom.
  public var created: RecordStamp?
  /// When it was changed last, and by whom.
  public var modified: RecordStamp?
  /// Whether this is the tombstone of a record.
  public var isDeleted: Bool
  /// Whether this only says that the record is no longer among those that the reader's version filter
  /// wants: Contrail's own, and only for those who sent a filter.
  public var hasLeft = false
  /// The zone; nil in requests that name the zone once for all.
  public var zone: ZoneIdentity?
  /// The record above it in a shared hierarchy.
  public var parent: RecordLink?
  /// The share that it belongs to.
  public var share: RecordLink?
  /// The name by which it is shared.
  public var shortGUID: String?
  /// Whether the server shall give it a `shortGUID`; in requests.
  public var createShortGUID: Bool

  /// Makes a record of names and fields; what a server adds may be set afterwards.
  public init(
    recordName: String? = nil, recordType: String? = nil, fields: RecordFields? = nil,
    changeTag: ChangeTag? = nil, zone: ZoneIdentity? = nil
  ) {
    self.recordName = recordName
    self.recordType = recordType
    self.content = fields.map { .fields($0) }
    self.changeTag = changeTag
    self.zone = zone
    isDeleted = false
    createShortGUID = false
  }

  /// What stays of a deleted record in a change feed.
  public static func tombstone(
    _ identity: RecordIdentity, recordType: String? = nil, changeTag: ChangeTag? = nil
  ) -> Record {
    var record = Record(
      recordName: identity.recordName, recordType: recordType, changeTag: changeTag,
      zone: identity.zone)
    record.isDeleted = true
    return record
  }

  /// What a reader with a version filter is told of a record that is above it.
  public static func left(_ identity: RecordIdentity, recordType: String) -> Record {
    var record = Record(
      recordName: identity.recordName, recordType: recordType, zone: identity.zone)
    record.hasLeft = true
    return record
  }

  /// Name and zone, when the record says both.
  public var identity: RecordIdentity? {
    guard let recordName, let zone else { return nil }
    return RecordIdentity(recordName: recordName, zone: zone)
  }
}

/// A record's fields: as values, or as the bytes that stand in a message.
public enum RecordContent: Hashable, Sendable {
  /// Values.
  case fields(RecordFields)
  /// Bytes, to be copied as they are.
  case wire(FieldBytes)
}

/// One entry of a list of records in an answer: a record, or why there is none.
public enum RecordResult: Hashable, Sendable {
  /// The record.
  // NB: in a box, since to copy one is to count fifteen references, and lists of them are handed on.
  indirect case record(Record)
  /// What went wrong with it.
  case failure(ItemFailure)
}
