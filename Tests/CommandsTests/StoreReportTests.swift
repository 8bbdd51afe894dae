import Foundation
import Testing

/// What the tool prints of a store as JSON, in the files that `Tests/Commands/validate-json` holds to
/// their JSON Schemas.
@Suite struct StoreReportTests {
  private static let folder = TranscriptTests.folder
    .appending(path: "../../Fixtures/store-reports").standardizedFileURL

  @Test(arguments: [
    ("store-sqlite", "show log.sqlite"),
    ("store-xml", "show log.xml"),
    ("objects-shown", "show log.sqlite LogEntry"),
    (
      "objects-found", "query log.sqlite LogEntry --where 'flightTime > 1' --columns day,pilot.name"
    ),
    ("objects-none", "query log.sqlite LogEntry --where FALSEPREDICATE"),
    ("count", "query log.sqlite LogEntry --count"),
    ("object-kept", "show log.sqlite Pilot 1"),
    ("object-deleted", "show log.sqlite LogEntry 3"),
    ("history", "history log.sqlite"),
    ("migration-planned", "migrate log.sqlite --to small.json --dry-run --sql"),
    ("migration-needless", "migrate log.sqlite --to log.xml"),
    ("migration-lossy", "migrate log.sqlite --to small.json"),
    ("migration-done", "migrate log.sqlite --to small.json --accept-loss"),
    ("migration-blocked", "migrate log.sqlite --to strict.json"),
  ])
  func `a store is described in JSON`(name: String, call: String) throws {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    try Data(Self.small.utf8).write(to: scratch.appending(path: "small.json"))
    try Data(Self.strict.utf8).write(to: scratch.appending(path: "strict.json"))
    let made =
      "for kind in sqlite xml; do store-maker log $kind log.$kind; done"
    let now = try Transcript("$ \(made); syncctl \(call) --json 2> /dev/null || true\n")
      .rerun(in: scratch, tools: TranscriptTests.products)
    let printed = try #require(now.steps.first).output
    let file = Self.folder.appending(path: "\(name).json")
    if ProcessInfo.processInfo.environment["UPDATE"] == "1" {
      try Data(printed.utf8).write(to: file)
    } else {
      let recorded = try String(contentsOf: file, encoding: .utf8)
      #expect(printed == recorded, "UPDATE=1 swift test --filter StoreReportTests rewrites \(name)")
    }
  }

  /// A schema without most of what the flight log has.
  private static let small = """
    {
      "contrail": 1, "kind": "objects", "name": "FlightLog", "version": "2",
      "entities": {"Pilot": {"attributes": {"name": {"type": "string", "default": ""}}}}
    }
    """

  /// A schema that the flight log's data does not fit.
  private static let strict = """
    {
      "contrail": 1, "kind": "objects", "name": "FlightLog",
      "entities": {
        "Pilot": {"attributes": {"licence": {"type": "string"}, "name": {"type": "string"}}}
      }
    }
    """
}
