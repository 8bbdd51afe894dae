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
    if awaitedFiles > 0 {
      let missing = missingFiles > 0 ? ", \(missingFiles) of them missing" : ""
      let next = missingFiles > 0 ? "syncctl failed \(path)" : "syncctl sync \(path)"
      lines.append(
        "  files     \(counted(awaitedFiles, "file")) to be fetched\(missing)  → \(next)")
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
    deleted on another device stay. discard gives them up: objects keep what they have here. Files that the
    server does not give are listed too; they are tried now and then all the same, and by retry at once.
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
      let store = try StoreFiles.open(path)
      let (failures, files) = (try store.failedChanges(), try store.missingFiles())
      if call.has("json") {
        try call.console.write([
          "format": "contrail-failed-1", "failed": .list(failures.map(\.json)),
          "files": .list(files.map(\.json)),
        ])
      } else {
        call.console.writeText(
          failures.isEmpty && files.isEmpty
            ? "nothing has failed\n" : (failures.map(\.text) + files.map(\.text)).joined())
      }
      return failures.isEmpty && files.isEmpty ? .ok : .attention
    }
    let store = try SyncedStoreFile(path).store
    switch call.arguments[1] {
    case "retry":
      let count = try store.retryFailedChanges()
      call.console.writeText("\(counted(count, "change")) will be tried again\n")
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
  /// How much is shown of what was lost; `--json` has all of it.
  private static let shownMax = 2_000

  private static func shortened(_ text: String) -> String {
    text.count <= shownMax ? text : "\(text.prefix(shownMax))… (--json shows all)"
  }

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
      + (kept.map { "  was \(Self.shortened($0))\n" } ?? "")
  }
}

extension AwaitedFileFacts {
  var json: JSONValue {
    [
      "recordName": .string(recordName), "recordType": .string(recordType), "field": .string(field),
      "size": .maybe(size), "attempts": .integer(Int64(attempts)),
      "retry": retry > 0 ? .integer(retry) : nil, "code": .maybe(code), "reason": .maybe(reason),
    ]
  }

  var text: String {
    let times = attempts > 0 ? ", \(counted(attempts, "attempt"))" : ""
    return
      "\(recordType) \(recordName)  file of \(field)  \(code ?? "")\(times)\n  \(reason ?? "")\n"
  }
}
