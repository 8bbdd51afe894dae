import CommandKit
import FoundationEssentials
import JSONStream
import ObjectStore
import SyncClient
import SyncCore

let statusCommand = Command(
  "status",
  summary: "Tell how a store stands to its record server.",
  discussion: "Nothing is asked of the server: this is what is known here.",
  arguments: [.init("STORE", "an SQLite store that syncctl init has set up")],
  options: [.json],
  examples: [.init("syncctl status log.sqlite", "is anything left to be sent?")],
  exits: Command.ExitMeaning.sync.filter { $0.code != .credentials && $0.code != .network },
  run: { call in
    let path = call.arguments[0]
    let store = try StoreFiles.open(path)
    let status: SyncStatus
    do {
      status = try SyncStatus.read(store)
    } catch let error as SyncError where error.code == .notSetUp {
      throw UsageError(
        "\(path) is not synced yet",
        fix: "syncctl init \(path) --server https://host --container NAME")
    }
    let failed = try store.failedChanges()
    if call.has("json") {
      try call.console.write(status.json)
    } else {
      call.console.writeText(status.text(path, failed, now: Date()))
    }
    return status.exitCode
  })

extension SyncStatus {
  fileprivate var json: JSONValue {
    [
      "format": "contrail-status-1", "server": .string(server), "container": .string(container),
      "environment": .string(environment), "zone": .string(zone),
      "records": .integer(Int64(records)), "pending": .integer(Int64(pending)),
      "oldestPending": .maybe(oldestPending),
      "parked": .integer(Int64(parked)), "lacks": .list(lacks.map { .string($0) }),
      "failed": .integer(Int64(failed)),
      "lastSuccess": .maybe(lastSuccess),
      "trouble": .maybe(trouble?.rawValue),
    ]
  }

  fileprivate func text(_ path: String, _ failures: [FailedChange], now: Date) -> String {
    func ago(_ milliseconds: Int64?) -> String {
      guard let milliseconds else { return "never" }
      let seconds = max(0, Int64(now.timeIntervalSince1970) - milliseconds / 1_000)
      switch seconds {
      case ..<60: return "\(seconds) s ago"
      case ..<3_600: return "\(seconds / 60) min ago"
      case ..<172_800: return "\(seconds / 3_600) h ago"
      default: return "\(seconds / 86_400) days ago"
      }
    }
    var lines = ["\(path) → \(server)  \(container) · \(environment) · private"]
    lines.append("  in sync   \(counted(records, "record")), last success \(ago(lastSuccess))")
    if pending > 0 {
      let oldest = oldestPending.map { ", oldest \(ago($0))" } ?? ""
      lines.append("  pending   \(counted(pending, "change"))\(oldest)  → syncctl sync \(path)")
    }
    if parked > 0 {
      let names = lacks.isEmpty ? "" : ": production lacks \(lacks.joined(separator: ", "))"
      lines.append("  parked    \(counted(parked, "change"))\(names)  → syncctl schema promote")
    }
    if failed > 0 {
      lines.append("  failed    \(counted(failed, "change"))  → syncctl failed \(path)")
      for failure in failures.prefix(3) {
        lines.append("            \(failure.recordType) \(failure.recordName)  \(failure.code)")
      }
    }
    if let trouble { lines.append("  trouble   \(trouble.words)  → syncctl resolve \(path)") }
    return lines.joined(separator: "\n") + "\n"
  }
}

let failedCommand = Command(
  "failed",
  summary: "List changes that the server did not take, try them again, or give them up.",
  discussion: """
    Without an action it lists them. retry sends them again with the next sync; those whose record was
    deleted on another device stay. discard gives them up: objects keep what they have here.
    """,
  arguments: [
    .init("STORE", "an SQLite store that syncctl init has set up"),
    .init("ACTION", "retry or discard", count: .optional),
  ],
  options: [.json],
  examples: [
    .init("syncctl failed log.sqlite", "what failed, and why"),
    .init("syncctl failed log.sqlite retry", "send it again with the next sync"),
  ],
  exits: [
    .init(.ok, "done; nothing is failed where they were listed"),
    .init(.attention, "there are failed changes"), .unreadable, .damaged, .busy,
  ],
  run: { call in
    let path = call.arguments[0]
    guard call.arguments.count > 1 else {
      let failures = try StoreFiles.open(path).failedChanges()
      if call.has("json") {
        try call.console.write([
          "format": "contrail-failed-1", "failed": .list(failures.map(\.json)),
        ])
      } else {
        call.console.writeText(
          failures.isEmpty ? "nothing has failed\n" : failures.map(\.text).joined())
      }
      return failures.isEmpty ? .ok : .attention
    }
    let store = try SyncedStoreFile(path).store
    switch call.arguments[1] {
    case "retry":
      let count = try store.retryFailedChanges()
      call.console.writeText("\(counted(count, "change")) will be sent again\n")
    case "discard":
      let count = try store.discardFailedChanges()
      call.console.writeText("\(counted(count, "change")) given up\n")
    default:
      throw UsageError(
        "there is no action \"\(call.arguments[1])\"", fix: "write retry or discard, or neither")
    }
    return .ok
  })

extension FailedChange {
  fileprivate var json: JSONValue {
    [
      "recordName": .string(recordName), "recordType": .string(recordType),
      "code": .string(code), "reason": .string(reason), "attempts": .integer(Int64(attempts)),
      "time": .integer(time), "fields": .maybe(kept),
    ]
  }

  fileprivate var text: String {
    let times = attempts > 0 ? ", \(counted(attempts, "attempt"))" : ""
    return "\(recordType) \(recordName)  \(code)\(times)\n  \(reason)\n"
      + (kept.map { "  was \($0)\n" } ?? "")
  }
}
