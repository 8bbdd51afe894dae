import CommandKit
import FoundationEssentials
import JSONStream
import ObjectStore
import SyncClient

let logCommand = Command(
  "log",
  summary: "List what sync did and met, the newest last.",
  discussion: """
    What lost against another edit is here with its values, as are changes that failed or wait, deletions
    that met edits, what does not fit, repairs, and the end of each pass. The last 10,000 entries are kept.
    """,
  arguments: [.init("STORE", "an SQLite store that syncctl init has set up")],
  options: [.value("limit", "N", "how many entries at most; 50 unless given"), .json],
  examples: [.init("syncctl log log.sqlite --limit 10", "what happened last")],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    let limit = try call.count("limit", atLeast: 1) ?? 50
    let store = try StoreFiles.open(call.arguments[0])
    _ = try store.syncedConfiguration(call.arguments[0])
    let entries = try store.syncLog(limit: limit).reversed()
    if call.has("json") {
      try call.console.write([
        "format": "contrail-log-1", "entries": .list(try entries.map { try $0.json }),
      ])
    } else {
      call.console.writeText(
        entries.isEmpty ? "nothing has happened yet\n" : entries.map(\.text).joined())
    }
    return .ok
  })

extension SyncLogEntry {
  var json: JSONValue {
    get throws {
      [
        "number": .integer(number), "time": .integer(time), "kind": .string(kind),
        "subject": .maybe(subject), "detail": try detail.map { try JSONValue(reading: $0) } ?? nil,
      ]
    }
  }

  /// One line.
  var text: String {
    let parts = [Date(milliseconds: time).shown, kind, subject, detail].compactMap { $0 }
    return parts.joined(separator: "  ") + "\n"
  }
}

extension Date {
  /// The moment so many milliseconds after 1970.
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

extension Store {
  /// With what a store is synced; a mistake of the call where it is not.
  func syncedConfiguration(_ path: String) throws -> SyncConfiguration {
    do {
      return try SyncConfiguration(of: self)
    } catch let error as SyncError where error.code == .notSetUp {
      throw UsageError(
        "\(path) is not synced yet",
        fix: "syncctl init \(path) --server https://host --container NAME")
    }
  }
}
