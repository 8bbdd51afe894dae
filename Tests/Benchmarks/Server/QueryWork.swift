import RecordWire
import ServerFloors

/// `records/query` by a field with an index.
enum QueryWork {
  /// A query as a row measures it: a field, the value that it has to have, and how many records that finds.
  private struct Case {
    let field: String
    let value: RecordValue
    let count: Int
    /// How often one run asks.
    let rounds: Int
  }

  static func run(_ runner: Runner, _ bench: ServerBench) throws {
    let cases = [
      Case(field: "title", value: title(77), count: 1, rounds: 2000),
      Case(field: "landings", value: .int64(3), count: ServerRecords.batch, rounds: 100),
    ]
    for query in cases { try run(runner, bench, query) }
  }

  /// The title that the sample with this number has, and no other.
  private static func title(_ number: Int) -> RecordValue {
    .string("Flight \(number) from Langeoog to Sankt Peter-Ording")
  }

  private static func run(_ runner: Runner, _ bench: ServerBench, _ query: Case) throws {
    let name = "query, EQUALS by index, \(query.count) found"
    guard runner.wants(name) else { return }
    let server = try bench.server.get()
    let zone = try bench.filledZone()
    let body = try request(query, zone).json()
    let found = try RecordsResponse(json: bench.ask("private", "records/query", body)).records.count
    guard found == query.count else { throw BenchFailure("\(name): there are \(found)") }
    let post = Requests.post(server.path("private", "records/query"), body)
    let requests = Requests(Array(repeating: post, count: runner.size(query.rounds)))
    let rounds = runner.size(query.rounds)
    let sql = try sql(query, zone, server.recordsPath)
    try runner.alternate(
      ServerRow(
        name: name, item: "queries",
        note:
          "the floor is the same SQL in C, without a server: a look-up in the index and the records",
        ours: { _ in
          try .of(server.process, items: rounds) {
            _ = try requests.play(to: server.port)
            return Int64(rounds * query.count)
          }
        },
        floor: { _ in
          try .here(items: rounds) {
            var rows: Int64 = 0
            let code = server_records_query(server.recordsPath, sql, Int64(rounds), &rows)
            guard code == 0 else { throw BenchFailure("SQLite failed with \(code)") }
            return rows
          }
        }), peakMB: { server.process.peakMB })
  }

  private static func request(_ query: Case, _ zone: ZoneIdentity) -> QueryRequest {
    QueryRequest(
      RecordQuery(
        recordType: ServerRecords.type,
        filters: [QueryFilter(.field(query.field), .equals, query.value)]),
      zone: zone, resultsLimit: query.count)
  }

  /// The query with the numbers and the bytes that the server's file has for what it asks for.
  private static func sql(_ query: Case, _ zone: ZoneIdentity, _ path: String) throws -> String {
    let made = """
      SELECT 'SELECT r.*, e.value FROM index_entry AS e CROSS JOIN record AS r ON r.number = e.record \
      WHERE e.slot = ' || s.number || ' AND e.zone = ' || z.number || ' AND e.value = ' \
      || quote((SELECT value FROM index_entry WHERE slot = s.number AND zone = z.number AND name = \
      '\(ServerRecords.name(query.field == "title" ? 77 : 2))')) || ' \
      ORDER BY e.value, e.name LIMIT \(query.count)' \
      FROM index_slot AS s, zone AS z WHERE s.type = '\(ServerRecords.type)' \
      AND s.field = '\(query.field)' AND s.kind = 'value' AND z.name = '\(zone.name)'
      """
    guard let text = server_records_text(path, made) else {
      throw BenchFailure("the index of \(query.field) is not there")
    }
    defer { server_free(text) }
    return String(cString: text)
  }
}
