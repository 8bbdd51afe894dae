import DataModel
import RecordWire
import Testing

@testable import RecordServer

/// A storage with a schema, and what tests of queries do with it over and over.
final class QueryWorld {
  let writing: ModifyWorld
  private let folder: ScratchFolder

  var storage: any RecordStorage { writing.storage }
  var resolved: ResolvedSchema { writing.schema.resolved(.development) }

  /// A world with one zone, whose types are `text`.
  init(_ kind: TestedStorage, _ text: String, zone: ZoneKey = Samples.notes) async throws {
    let made = try kind.make()
    writing = ModifyWorld(made.storage)
    folder = made.folder
    writing.schema = try .developing(text)
    writing.zone = zone
    try await writing.begin()
  }

  /// Saves records of the type T, each with its fields.
  func save(_ records: [(String, RecordFields)]) async throws {
    let outcome = try await writing.modify(
      records.map { .op(.forceReplace, $0.0, type: "T", $0.1) }, atomic: false)
    try #require(outcome.reasons == [])
  }

  func page(
    _ request: QueryRequest, zones: [ZoneKey]? = nil,
    caller: RecordCaller = RecordCaller(user: "_ann")
  ) async throws -> QueryPage {
    let run = QueryRun(request, zones: zones ?? [writing.zone], caller: caller, schema: resolved)
    return try await storage.read { try run.page(in: $0) }
  }

  /// The names that a query finds, over all of its pages.
  func names(
    _ query: RecordQuery, limit: Int = 200, zones: [ZoneKey]? = nil,
    caller: RecordCaller = RecordCaller(user: "_ann"), isZoneWide: Bool = false
  ) async throws -> [String] {
    var request = QueryRequest(
      query, resultsLimit: limit, isZoneWide: isZoneWide ? true : nil)
    var names: [String] = []
    for _ in 0..<1000 {
      let page = try await page(request, zones: zones, caller: caller)
      #expect(page.records.count <= limit)
      names += page.records.map { isZoneWide ? "\($0.zone.name)/\($0.row.name)" : $0.row.name }
      guard let marker = page.marker else { return names }
      #expect(page.records.count == limit)
      request.continuationMarker = marker.text
    }
    Issue.record("the pages do not end")
    return names
  }

  func names(
    _ field: String, _ comparator: QueryFilter.Comparator, _ value: RecordValue,
    distance: Double? = nil
  ) async throws -> [String] {
    let field = SystemField(schemaName: field).map { QueryField.system($0) } ?? .field(field)
    return try await names(
      RecordQuery(
        recordType: "T", filters: [QueryFilter(field, comparator, value, distance: distance)]))
  }

  /// Why a query is refused; nil when it is not.
  func failure(_ query: RecordQuery, marker: String? = nil) async throws -> RequestFailure? {
    do {
      _ = try await page(QueryRequest(query, continuationMarker: marker))
      return nil
    } catch let failure as RequestFailure { return failure }
  }

  /// Does steps until the indexes are as the schema says.
  func fill(limit: Int = IndexFilling.stepMax) async throws {
    let schema = resolved
    for _ in 0..<10_000 {
      let isDone = try await storage.write {
        try IndexFilling(schema, in: $0).step(limit: limit)
      }
      if isDone { return }
    }
    Issue.record("filling does not end")
  }
}

extension RecordQuery {
  /// A query for records of the type T.
  static func of(_ filters: QueryFilter..., sorts: [QuerySort] = []) -> RecordQuery {
    RecordQuery(recordType: "T", filters: filters, sorts: sorts)
  }
}
