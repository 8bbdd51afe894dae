import DataModel
import RecordWire
import Testing

@testable import RecordServer

/// Where candidates are read from, and how many are looked at.
@Suite struct PlannerTests {
  /// 400 records, a tenth of which is "rare", and all but one of which have the flag 1.
  private func world(_ kind: TestedStorage) async throws -> QueryWorld {
    let world = try await QueryWorld(kind, ComparatorTests.schema)
    for start in [0, 200] {
      try await world.save((start..<start + 200).map { ("r\($0)", Self.fields($0)) })
    }
    return world
  }

  private static func fields(_ number: Int) -> RecordFields {
    [
      "i": .int64(number == 7 ? 0 : 1), "d": .double(Double(number % 10)),
      "s": .string(number % 10 == 0 ? "rare" : "common"), "t": .timestamp(Int64(-number)),
      "p": .place(Double(number % 90), 0),
    ]
  }

  static let rare = QueryFilter(.field("s"), .equals, .string("rare"))
  static let flagged = QueryFilter(.field("i"), .equals, .int64(1))
  static let other = QueryFilter(.field("i"), .notEquals, .int64(1))
  static let late = QueryFilter(.field("t"), .lessThan, .timestamp(-100))
  static let byTime = QuerySort(.field("t"))
  static let byDistance = QuerySort(
    .field("p"), relativeLocation: RecordLocation(latitude: 1, longitude: 1))

  static let rows: [(RecordQuery, String)] = [
    (.of(), "byName ___recordID"), (.of(other), "byName ___recordID"), (.of(rare), "byName s"),
    (.of(rare, flagged), "byName s"), (.of(flagged, rare, late), "byName s"),
    (.of(late), "byKey t"), (.of(late, sorts: [byTime]), "byKey t"),
    (.of(flagged, sorts: [byTime]), "byKey t"), (.of(rare, sorts: [byTime]), "sorted s"),
    (.of(rare, flagged, sorts: [byTime]), "sorted s"),
    (.of(other, sorts: [byTime]), "byKey t"),
    (.of(QueryFilter(.field("p"), .near, .place(5, 0), distance: 1000)), "sorted p"),
    (.of(sorts: [byDistance]), "sortedOfType"), (.of(late, sorts: [byDistance]), "sorted t"),
    (.of(QueryFilter(.system(.recordName), .equals, .link("r7")), sorts: [byTime]), "named r7"),
  ]

  @Test(arguments: TestedStorage.allCases)
  func `a query reads from where the fewest records have to be looked at`(
    kind: TestedStorage
  ) async throws {
    let world = try await world(kind)
    let schema = world.resolved
    for (query, expected) in Self.rows {
      let plan = try await world.storage.read { transaction in
        try ZonePlanner(
          CheckedQuery(query, schema), Samples.notes, limit: 20, hasNames: true, incomplete: [],
          in: transaction
        ).plan()
      }
      #expect(plan.words == expected, "\(query)")
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `a page that has looked at many ends early, and the next one goes on`(
    kind: TestedStorage
  ) async throws {
    let world = try await world(kind)
    for sorts in [[], [Self.byTime], [QuerySort(.field("t"), isAscending: false)]] {
      var request = QueryRequest(.of(Self.other, sorts: sorts), resultsLimit: 5)
      var names: [String] = []
      var pages = 0
      while pages < 100 {
        var run = QueryRun(
          request, zones: [Samples.notes], caller: .anyone, schema: world.resolved)
        run.examinedMax = 30
        let page = try await world.storage.read { [run] in try run.page(in: $0) }
        names += page.records.map(\.row.name)
        pages += 1
        guard let marker = page.marker else { break }
        request.continuationMarker = marker.text
      }
      #expect(names == ["r7"])
      #expect((12...16).contains(pages), "\(pages) pages")
    }
  }

  @Test(arguments: TestedStorage.allCases)
  func `too many records to sort are refused with a way out`(kind: TestedStorage) async throws {
    let world = try await world(kind)
    for (sorts, isRefused) in [
      ([QuerySort(.field("i")), Self.byTime], true),
      ([QuerySort(.field("d")), Self.byTime], false),
      ([Self.byDistance], true),
    ] {
      var run = QueryRun(
        QueryRequest(.of(sorts: sorts)), zones: [Samples.notes], caller: .anyone,
        schema: world.resolved)
      run.sortedMax = 100
      let failure: RequestFailure? = try await world.storage.read { [run] transaction in
        do throws(RequestFailure) {
          do { _ = try run.page(in: transaction) } catch {
            throw error as? RequestFailure ?? .damagedRecord
          }
          return nil
        } catch { return error }
      }
      #expect(failure == (isRefused ? .tooManyToSort : nil))
    }
  }
}

extension ZonePlan {
  /// The plan in words: what is read, and of which field.
  fileprivate var words: String {
    switch self {
    case .byName(let scans): "byName \(Self.fields(scans))"
    case .byNameOfType: "byNameOfType"
    case .byKey(let scan): "byKey \(scan.slot.field)"
    case .sorted(let scans): "sorted \(Self.fields(scans))"
    case .named(let names): "named \(names.joined(separator: " "))"
    case .sortedOfType: "sortedOfType"
    }
  }

  private static func fields(_ scans: [IndexScan]) -> String {
    Set(scans.map(\.slot.field)).sorted().joined(separator: " ")
  }
}
