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
  exits: Command.ExitMeaning.sync,
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
    let later = try store.laterRecordCount()
    if call.has("json") {
      try call.console.write(status.json(later: later))
    } else {
      call.console.writeText(status.text(path, failed, now: Date()))
      if later > 0 {
        call.console.writeText(
          "  later     \(counted(later, "record")) for later versions of the program: update it\n")
      }
    }
    return status.exitCode
  })

extension SyncStatus {
  fileprivate func json(later: Int) -> JSONValue {
    [
      "format": "contrail-status-1", "server": .string(server), "container": .string(container),
      "environment": .string(environment), "zone": .string(zone),
      "records": .integer(Int64(records)), "pending": .integer(Int64(pending)),
      "oldestPending": .maybe(oldestPending),
      "parked": .integer(Int64(parked)), "lacks": .list(lacks.map { .string($0) }),
      "failed": .integer(Int64(failed)), "awaitedFiles": .integer(Int64(awaitedFiles)),
      "missingFiles": .integer(Int64(missingFiles)),
      "laterRecords": .integer(Int64(later)), "lastSuccess": .maybe(lastSuccess),
      "trouble": .maybe(trouble?.rawValue), "postponed": .integer(Int64(postponed)),
      "postponedReason": .maybe(postponedReason), "obstacle": obstacle?.json ?? JSONValue(.null),
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
    if postponed > 0 {
      let reason = postponedReason.map { ": \($0)" } ?? ""
      lines.append("            \(postponed) put off since the server did not take them\(reason)")
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
    if awaitedFiles > 0 {
      let missing = missingFiles > 0 ? ", \(missingFiles) of them missing" : ""
      let next = missingFiles > 0 ? "syncctl failed \(path)" : "syncctl sync \(path)"
      lines.append(
        "  files     \(counted(awaitedFiles, "file")) to be fetched\(missing)  → \(next)")
    }
    if let obstacle {
      lines.append(
        "  stuck     first \(ago(obstacle.since)), \(obstacle.words)  → syncctl doctor \(path)")
    }
    if let trouble { lines.append("  trouble   \(trouble.words)  → syncctl resolve \(path)") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension SyncObstacle {
  fileprivate var json: JSONValue {
    ["kind": .string(kind.rawValue), "reason": .string(reason), "since": .integer(since)]
  }
}
