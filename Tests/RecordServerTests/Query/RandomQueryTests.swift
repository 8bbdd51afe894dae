import DataModel
import RecordWire
import SchemaGenerator
import Testing

@testable import RecordServer

/// Random records and queries: indexes in memory and in a file against looking at every record.
@Suite struct RandomQueryTests {
  @Test(arguments: UInt64(1)...8)
  func `an index finds what looking at every record finds, in pages of any size`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    var worlds: [QueryWorld] = []
    for kind in TestedStorage.allCases {
      worlds.append(try await QueryWorld(kind, ComparatorTests.schema))
    }
    let zones = [Samples.notes, ZoneKey(Samples.ann, "Work")]
    for world in worlds {
      world.writing.zone = zones[1]
      try await world.writing.begin()
    }
    for _ in 0..<12 {
      let zone = zones[random.below(2)]
      let operations = random.distinct(upTo: 30) { "r\($0.below(120))" }.map { name in
        random.oneIn(6)
          ? RecordOperation.op(.forceDelete, name, type: nil)
          : .op(.forceReplace, name, type: "T", Self.fields(&random))
      }
      for world in worlds {
        world.writing.zone = zone
        let outcome = try await world.writing.modify(operations, atomic: false)
        try #require(outcome.reasons == [])
      }
    }
    let schema = worlds[0].resolved
    for number in 0..<40 {
      let query = Self.query(&random)
      let asked = random.oneIn(2) ? zones : [zones[random.below(2)]]
      let limit = 1 + random.below(random.oneIn(2) ? 8 : 200)
      let expected = try await worlds[0].storage.read {
        try Self.everything(query, asked, schema, $0)
      }
      for world in worlds {
        let names = try await world.names(query, limit: limit, zones: asked, isZoneWide: true)
        #expect(names == expected, "seed \(seed), query \(number): \(query)")
      }
    }
  }

  /// Looks at every record.
  private static func everything(
    _ query: RecordQuery, _ zones: [ZoneKey], _ schema: ResolvedSchema,
    _ transaction: any StorageTransaction
  ) throws -> [String] {
    let checked = try CheckedQuery(query, schema)
    var found: [QueryOrder.Position] = []
    for zone in zones {
      let match = QueryMatch(checked.filters, zone: zone.name)
      for row in try transaction.changes(
        of: zone, after: 0, upTo: .max, order: .oldestFirst, limit: PageLimit(records: .max),
        withTombstones: false
      ).rows {
        let values = RowValues(row, try row.fields.fields())
        if match.accepts(values) {
          found.append(checked.order.position(of: values, zone: zone.name))
        }
      }
    }
    return found.sorted(by: checked.order.precedes).map { "\($0.zone)/\($0.name)" }
  }

  private static let words = ["red", "Red", "réd", "green", "gr", "blue tea", "", "tea", "ä", "z"]

  private static func fields(_ random: inout SeededGenerator) -> RecordFields {
    var fields: RecordFields = [:]
    for (name, type, isList) in Self.types where !random.oneIn(4) {
      let value: RecordValue
      if isList {
        value = .list((0..<random.below(4)).map { _ in Self.value(type, &random) }, of: type)
      } else {
        value = Self.value(type, &random)
      }
      fields[name] = RecordField(value)
    }
    return fields
  }

  private static let types: [(String, RecordSchema.FieldType, Bool)] = [
    ("s", .string, false), ("i", .int64, false), ("d", .double, false), ("t", .timestamp, false),
    ("b", .bytes, false), ("r", .reference, false), ("p", .location, false),
    ("ls", .string, true), ("li", .int64, true), ("lr", .reference, true),
  ]

  private static func value(
    _ type: RecordSchema.FieldType, _ random: inout SeededGenerator
  ) -> RecordValue {
    switch type {
    case .string:
      .string(random.pick(words, or: "") + (random.oneIn(3) ? random.pick(words, or: "") : ""))
    case .int64: .int64(random.pick([-3, -1, 0, 1, 2, .max, .min], or: 0))
    case .timestamp: .timestamp(Int64(random.below(6)) - 3)
    case .double:
      .double(random.pick([-1.5, -0.0, 0.0, 0.25, 1e9, -.greatestFiniteMagnitude], or: 0))
    case .bytes: .bytes((0..<random.below(3)).map { _ in UInt8(random.pick([0, 1, 255], or: 0)) })
    case .reference:
      .reference(
        RecordReference(
          recordName: "r\(random.below(8))",
          zone: random.oneIn(3) ? ZoneIdentity(name: random.pick(["Notes", "Work"], or: "")) : nil,
          action: RecordReference.Action.none))
    default:
      .place(
        random.pick([-90, -89.99, -1, 0, 0.05, 45, 89.95, 90], or: 0),
        random.pick([-180, -179.99, -0.1, 0, 0.1, 90, 179.99, 180], or: 0))
    }
  }

  private static func query(_ random: inout SeededGenerator) -> RecordQuery {
    var query = RecordQuery(recordType: "T")
    for _ in 0..<random.below(4) {
      if let filter = filter(&random) { query.filters.append(filter) }
    }
    for _ in 0..<(random.oneIn(3) ? 0 : random.below(4)) {
      let (name, type, isList) = types[random.below(types.count)]
      if isList { continue }
      var sort = QuerySort(.field(name), isAscending: random.oneIn(2))
      if case .location(let place) = value(.location, &random), type == .location {
        sort.relativeLocation = place
      }
      query.sorts.append(sort)
    }
    if random.oneIn(6) {
      query.sorts.append(QuerySort(.system(.recordName), isAscending: random.oneIn(2)))
    }
    return query
  }

  private static func filter(_ random: inout SeededGenerator) -> QueryFilter? {
    if random.oneIn(10) {
      return QueryFilter(
        .system(.recordName), random.oneIn(2) ? .equals : .greaterThan,
        .link("r\(random.below(120))"))
    }
    let (name, type, isList) = types[random.below(types.count)]
    let shape = FieldShape(type, isList: isList)
    let comparators = QueryFilter.Comparator.allCases.filter {
      ComparatorRule.rows[$0]?.fits(shape) == true
        && !(isList && $0.rawValue.contains("TOKENS") && type != .string)
    }
    let comparator = random.pick(comparators, or: .equals)
    guard let rule = ComparatorRule.rows[comparator], rule.fits(shape) else { return nil }
    let value: RecordValue
    if rule.operand == .list {
      value = .list((0..<random.below(4)).map { _ in Self.value(type, &random) }, of: type)
    } else {
      value = Self.value(type, &random)
    }
    return QueryFilter(
      .field(name), comparator, value,
      distance: rule.operand == .circle
        ? random.pick([0, 1000, 12_000, 600_000, 9e6, 3e7], or: 0) : nil)
  }
}
