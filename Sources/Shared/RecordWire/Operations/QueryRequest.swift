/// Asks for records by their values: the request of `records/query`.
public struct QueryRequest: Hashable, Sendable {
  /// What is asked.
  public var query: RecordQuery
  /// The zone; nil means the default zone, or all with `isZoneWide`.
  public var zone: ZoneIdentity?
  /// The most records that the answer shall have; nil means as many as the server allows.
  public var resultsLimit: Int?
  /// Where to go on, as the page before said.
  public var continuationMarker: String?
  /// Whether all zones are asked; nil, or a zone, means one zone.
  public var isZoneWide: Bool?
  /// The fields that the answer shall have; nil means all.
  public var desiredKeys: DesiredKeys?
  /// Whether the answer shall spell numbers as strings.
  public var numbersAsStrings: Bool

  /// Makes a request.
  public init(
    _ query: RecordQuery, zone: ZoneIdentity? = nil, resultsLimit: Int? = nil,
    continuationMarker: String? = nil, isZoneWide: Bool? = nil,
    desiredKeys: DesiredKeys? = nil, numbersAsStrings: Bool = false
  ) {
    self.query = query
    self.zone = zone
    self.resultsLimit = resultsLimit
    self.continuationMarker = continuationMarker
    self.isZoneWide = isZoneWide
    self.desiredKeys = desiredKeys
    self.numbersAsStrings = numbersAsStrings
  }
}

/// What a query asks: records of one type that pass every filter, in an order.
public struct RecordQuery: Hashable, Sendable {
  /// The type.
  public var recordType: String
  /// What the records have to pass, all of it.
  public var filters: [QueryFilter]
  /// The order, the first of most weight.
  public var sorts: [QuerySort]

  /// Makes a query.
  public init(recordType: String, filters: [QueryFilter] = [], sorts: [QuerySort] = []) {
    self.recordType = recordType
    self.filters = filters
    self.sorts = sorts
  }
}

/// The name of a field in a query: one of the record's own, or one that the server keeps.
public enum QueryField: Hashable, Sendable {
  /// A field of the record type.
  case field(String)
  /// A field of every record.
  case system(SystemField)

  /// The name in the schema: `title`, `___modTime`.
  public var schemaName: String {
    switch self {
    case .field(let name): name
    case .system(let field): field.schemaName
    }
  }
}

/// A field of every record, by the name that queries use.
public enum SystemField: String, Hashable, Sendable, CaseIterable {
  /// The record's own name.
  case recordName
  /// The share that it belongs to.
  case share
  /// The record above it.
  case parent
  /// Who created it.
  case createdUserRecordName
  /// When it was created.
  case createdTimestamp
  /// Who changed it last.
  case modifiedUserRecordName
  /// When it was changed last.
  case modifiedTimestamp

  /// The name in the schema.
  public var schemaName: String {
    switch self {
    case .recordName: "___recordID"
    case .share: "___share"
    case .parent: "___parent"
    case .createdUserRecordName: "___createdBy"
    case .createdTimestamp: "___createTime"
    case .modifiedUserRecordName: "___modifiedBy"
    case .modifiedTimestamp: "___modTime"
    }
  }

  /// The field with that name in the schema.
  public init?(schemaName: String) {
    guard let field = Self.allCases.first(where: { $0.schemaName == schemaName }) else {
      return nil
    }
    self = field
  }
}

/// One condition of a query.
public struct QueryFilter: Hashable, Sendable {
  /// How a field's value is compared.
  public enum Comparator: String, Hashable, Sendable, CaseIterable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    /// The place is within a distance.
    case near = "NEAR"
    /// A text has every word.
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    /// The value is one of a list.
    case isIn = "IN"
    case isNotIn = "NOT_IN"
    /// A text has one of the words.
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    /// A list has the value.
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listContainsAny = "LIST_CONTAINS_ANY"
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    case listContainsAll = "LIST_CONTAINS_ALL"
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    /// A text of a list begins with the value.
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
  }

  /// How the value is compared.
  public var comparator: Comparator
  /// Which field.
  public var field: QueryField
  /// With what.
  public var value: RecordField
  /// How far, in metres, for `near`.
  public var distance: Double?

  /// Makes a condition.
  public init(
    _ field: QueryField, _ comparator: Comparator, _ value: RecordValue, distance: Double? = nil
  ) {
    self.comparator = comparator
    self.field = field
    self.value = RecordField(value)
    self.distance = distance
  }
}

/// One part of a query's order.
public struct QuerySort: Hashable, Sendable {
  /// Which field.
  public var field: QueryField
  /// Whether small values come first.
  public var isAscending: Bool
  /// The place from which distances are taken, for a field of places.
  public var relativeLocation: RecordLocation?

  /// Makes a part of an order.
  public init(
    _ field: QueryField, isAscending: Bool = true, relativeLocation: RecordLocation? = nil
  ) {
    self.field = field
    self.isAscending = isAscending
    self.relativeLocation = relativeLocation
  }
}
