import DataModel
import RecordWire
import Testing

@testable import RecordServer

/// What each comparator finds, and what it refuses.
@Suite struct ComparatorTests {
  static let schema = """
    RECORD TYPE T (
      s STRING QUERYABLE SEARCHABLE SORTABLE, i INT64 QUERYABLE SORTABLE,
      d DOUBLE QUERYABLE SORTABLE, t TIMESTAMP QUERYABLE SORTABLE, b BYTES QUERYABLE SORTABLE,
      r REFERENCE QUERYABLE SORTABLE, p LOCATION QUERYABLE SORTABLE,
      ls LIST<STRING> QUERYABLE SEARCHABLE, li LIST<INT64> QUERYABLE, lr LIST<REFERENCE> QUERYABLE,
      secret ENCRYPTED STRING, file ASSET, plain STRING, onlySorted STRING SORTABLE,
      "___recordID" REFERENCE QUERYABLE SORTABLE, "___createTime" TIMESTAMP QUERYABLE SORTABLE,
      "___createdBy" REFERENCE QUERYABLE, "___modTime" TIMESTAMP SORTABLE,
      GRANT WRITE TO "_creator"
    );
    """

  static let records: [(String, RecordFields)] = [
    (
      "a",
      [
        "s": .string("Crème brûlée"), "i": .int64(-5), "d": .double(-0.5), "t": .timestamp(10),
        "b": .bytes([1]), "r": .refers(to: "x", .none), "p": .place(48.2, 16.37),
        "ls": .texts("red", "green"), "li": .list([.int64(1), .int64(2)], of: .int64),
        "lr": .list([.refers(to: "x", .none)], of: .reference),
        "onlySorted": .string("ab"),
      ]
    ),
    (
      "b",
      [
        "s": .string("creme"), "i": .int64(0), "d": .double(0), "t": .timestamp(20),
        "b": .bytes([1, 0]), "r": .refers(to: "y", .none), "p": .place(48.21, 16.38),
        "ls": .texts("Green tea"), "li": .list([.int64(2)], of: .int64), "onlySorted": .string("b"),
      ]
    ),
    (
      "c",
      [
        "s": .string("Creme tea"), "i": .int64(7), "d": .double(1e300), "t": .timestamp(-1),
        "b": .bytes([255]), "r": .refers(to: "x", .none), "p": .place(-33.9, 179.99),
        "ls": .list([], of: .string),
      ]
    ),
    ("none", [:]),
  ]

  static let rows: [(String, QueryFilter.Comparator, RecordValue, Double?, String)] = [
    ("s", .equals, .string("creme"), nil, "b"),
    ("s", .notEquals, .string("creme"), nil, "a c none"),
    ("s", .isIn, .texts("creme", "Creme tea", "no"), nil, "b c"),
    ("s", .isNotIn, .texts("creme", "Creme tea"), nil, "a none"),
    ("s", .isIn, .list([], of: .string), nil, ""),
    ("s", .lessThan, .string("Creme tea"), nil, ""),
    ("s", .lessThanOrEquals, .string("Creme tea"), nil, "c"),
    // In the order of the values, since the query asks for none.
    ("s", .greaterThan, .string("Creme tea"), nil, "a b"),
    ("s", .greaterThanOrEquals, .string("C"), nil, "c a b"),
    ("s", .beginsWith, .string("Cr"), nil, "c a"),
    ("s", .beginsWith, .string(""), nil, "c a b"),
    ("s", .notBeginsWith, .string("Cr"), nil, "b none"),
    ("onlySorted", .beginsWith, .string("a"), nil, "a"),
    ("s", .containsAllTokens, .string("CREME"), nil, "a b c"),
    ("s", .containsAllTokens, .string("tea, crème!"), nil, "c"),
    ("s", .containsAllTokens, .string("?"), nil, ""),
    ("s", .containsAnyTokens, .string("brulee tea"), nil, "a c"),
    ("ls", .containsAnyTokens, .string("green"), nil, "a b"),
    ("i", .equals, .untyped(.integer(0)), nil, "b"),
    ("i", .notEquals, .int64(0), nil, "a c none"),
    ("i", .lessThan, .int64(7), nil, "a b"),
    ("i", .lessThanOrEquals, .int64(-5), nil, "a"),
    ("i", .greaterThan, .int64(.min), nil, "a b c"),
    ("i", .greaterThanOrEquals, .int64(0), nil, "b c"),
    ("i", .isIn, .list([.int64(7), .int64(-5)], of: .int64), nil, "a c"),
    ("d", .equals, .double(-0.0), nil, "b"),
    ("d", .lessThan, .untyped(.integer(0)), nil, "a"),
    ("d", .greaterThan, .double(0.5), nil, "c"),
    ("t", .lessThan, .timestamp(20), nil, "c a"),
    ("t", .equals, .timestamp(20), nil, "b"),
    ("b", .equals, .bytes([1]), nil, "a"),
    ("b", .greaterThan, .bytes([1]), nil, "b c"),
    ("r", .equals, .link("x"), nil, "a c"),
    ("r", .equals, .link("x", zone: "Notes"), nil, "a c"),
    ("r", .equals, .link("x", zone: "Other"), nil, ""),
    ("r", .isIn, .list([.link("y"), .link("z")], of: .reference), nil, "b"),
    ("p", .near, .place(48.2, 16.37), 0, "a"),
    ("p", .near, .place(48.2, 16.37), 2000, "a b"),
    ("p", .near, .place(-33.9, -179.99), 2000, "c"),
    ("p", .near, .place(0, 0), 3e7, "a b c"),
    ("p", .near, .place(90, 0), 5_000_000, "a b"),
    ("ls", .listContains, .string("green"), nil, "a"),
    ("ls", .notListContains, .string("green"), nil, "b c none"),
    ("ls", .listContainsAny, .texts("red", "Green tea"), nil, "a b"),
    ("ls", .notListContainsAny, .texts("red", "Green tea"), nil, "c none"),
    ("ls", .listContainsAll, .texts("red", "green"), nil, "a"),
    ("ls", .listContainsAll, .list([], of: .string), nil, "a b c"),
    ("ls", .notListContainsAll, .texts("red", "green"), nil, "b c none"),
    ("ls", .listMemberBeginsWith, .string("gr"), nil, "a"),
    ("ls", .notListMemberBeginsWith, .string("gr"), nil, "b c none"),
    ("li", .listContains, .int64(2), nil, "a b"),
    ("lr", .listContains, .link("x"), nil, "a"),
    ("___recordID", .equals, .link("b"), nil, "b"),
    (
      "___recordID", .isIn, .list([.link("none"), .link("a"), .link("q")], of: .reference), nil,
      "a none"
    ),
    ("___recordID", .notEquals, .link("b"), nil, "a c none"),
    ("___recordID", .greaterThan, .link("b"), nil, "c none"),
    ("___createTime", .equals, .timestamp(1_700_000_001_000), nil, "a b c none"),
    ("___createTime", .greaterThan, .timestamp(1_700_000_001_000), nil, ""),
    ("___createdBy", .equals, .link("_ann", zone: "_defaultZone"), nil, "a b c none"),
    ("___createdBy", .equals, .link("_bob"), nil, ""),
    ("___modTime", .lessThan, .timestamp(.max), nil, "a b c none"),
  ]

  @Test(arguments: TestedStorage.allCases)
  func `each comparator finds what it says, of each type`(kind: TestedStorage) async throws {
    let world = try await QueryWorld(kind, Self.schema)
    try await world.save(Self.records)
    for (field, comparator, value, distance, expected) in Self.rows {
      let names = try await world.names(field, comparator, value, distance: distance)
      #expect(
        names == expected.split(separator: " ").map(String.init),
        "\(field) \(comparator.rawValue) \(value)")
    }
    let tried = Set(Self.rows.map(\.1))
    #expect(QueryFilter.Comparator.allCases.filter { !tried.contains($0) } == [])
  }

  static let refusals: [(String, QueryFilter.Comparator, RecordValue, String)] = [
    ("plain", .equals, .string("x"), "Field 'plain' is not marked queryable"),
    ("plain", .lessThan, .string("x"), "Field 'plain' is not marked sortable"),
    ("plain", .containsAnyTokens, .string("x"), "Field 'plain' is not marked searchable"),
    ("onlySorted", .equals, .string("x"), "Field 'onlySorted' is not marked queryable"),
    ("___modTime", .equals, .timestamp(1), "Field 'modifiedTimestamp' is not marked queryable"),
    (
      "___modifiedBy", .equals, .link("x"), "Field 'modifiedUserRecordName' is not marked queryable"
    ),
    ("___parent", .equals, .link("x"), "Field 'parent' is not marked queryable"),
    ("missing", .equals, .string("x"), "Unknown field 'missing' in record type 'T'"),
    (
      "secret", .equals, .string("x"),
      "Field 'secret' has a value type of ENCRYPTED_STRING and cannot be queried using filter type "
        + "EQUALS"
    ),
    (
      "file", .equals, .string("x"),
      "Field 'file' has a value type of ASSETID and cannot be queried using filter type EQUALS"
    ),
    (
      "ls", .equals, .string("x"),
      "Field 'ls' has a value type of STRING_LIST and cannot be queried using filter type EQUALS"
    ),
    (
      "i", .beginsWith, .int64(1),
      "Field 'i' has a value type of INT64 and cannot be queried using filter type BEGINS_WITH"
    ),
    (
      "p", .equals, .place(1, 1),
      "Field 'p' has a value type of LOCATION and cannot be queried using filter type EQUALS"
    ),
    ("i", .equals, .string("x"), "Field 'i': Invalid value, expected type INT64."),
    ("i", .isIn, .int64(1), "Field 'i': Invalid value, expected type INT64_LIST."),
    ("s", .equals, .null, "Field 's': Invalid value, expected type STRING."),
    ("p", .near, .place(1, 1), "NEAR needs a distance in metres that is not negative"),
  ]

  @Test func `what cannot be asked is refused in the protocol's words`() async throws {
    let world = try await QueryWorld(.memory, Self.schema)
    for (field, comparator, value, reason) in Self.refusals {
      let name = SystemField(schemaName: field).map { QueryField.system($0) } ?? .field(field)
      let failure = try await world.failure(.of(QueryFilter(name, comparator, value)))
      #expect(failure == RequestFailure(.badRequest, reason: reason))
    }
    let sorts: [(QueryField, String)] = [
      (.field("plain"), "Field 'plain' is not marked sortable"),
      (.system(.createdUserRecordName), "Field 'createdUserRecordName' is not marked sortable"),
      (.field("ls"), "Field 'ls' has a value type of STRING_LIST and cannot be sorted by"),
      (
        .field("secret"),
        "Field 'secret' has a value type of ENCRYPTED_STRING and cannot be sorted by"
      ),
      (.field("p"), "sorting by the field 'p' needs a relativeLocation"),
      (.field("missing"), "Unknown field 'missing' in record type 'T'"),
    ]
    for (field, reason) in sorts {
      let failure = try await world.failure(.of(sorts: [QuerySort(field)]))
      #expect(failure == RequestFailure(.badRequest, reason: reason))
    }
    let many = RecordQuery.of(sorts: Array(repeating: QuerySort(.field("i")), count: 9))
    #expect(try await world.failure(many) == .tooManySorts)
    #expect(
      try await world.failure(RecordQuery(recordType: "U"))
        == RequestFailure(.badRequest, reason: "Did not find record type: U"))
  }

  @Test func `a query without filters needs the index of record names`() async throws {
    let world = try await QueryWorld(
      .memory, #"RECORD TYPE T (i INT64 QUERYABLE SORTABLE, GRANT WRITE TO "_creator");"#)
    let refused = RequestFailure(
      .badRequest, reason: "Field 'recordName' is not marked queryable")
    #expect(try await world.failure(.of()) == refused)
    #expect(try await world.failure(.of(sorts: [QuerySort(.field("i"))])) == refused)
  }
}

extension RecordValue {
  static func texts(_ texts: String...) -> RecordValue {
    .list(texts.map { .string($0) }, of: .string)
  }

  static func place(_ latitude: Double, _ longitude: Double) -> RecordValue {
    .location(RecordLocation(latitude: latitude, longitude: longitude))
  }

  /// A reference as queries have it.
  static func link(_ name: String, zone: String? = nil) -> RecordValue {
    .reference(RecordReference(recordName: name, zone: zone.map { ZoneIdentity(name: $0) }))
  }
}
