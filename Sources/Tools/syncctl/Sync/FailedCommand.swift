import CommandKit
import JSONStream
import ObjectStore
import SyncClient

/// What can be done about changes that the server did not take: a word, what it does to a store, and how that
/// is told.
private struct FailedAction: Sendable {
  let name: String
  let run: @Sendable (_ store: Store, _ records: Set<String>?) throws -> Int
  let outcome: String

  static let rows = [
    FailedAction(
      name: "retry", run: { try $0.retryFailedChanges(of: $1) }, outcome: "will be tried again"),
    FailedAction(
      name: "recreate", run: { try $0.recreateFailedChanges(of: $1) },
      outcome: "made anew, and sent by the next sync"),
    FailedAction(
      name: "discard", run: { try $0.discardFailedChanges(of: $1) }, outcome: "given up"),
  ]
}

let failedCommand = Command(
  "failed",
  summary: "List changes that the server did not take, try them again, or give them up.",
  discussion: """
    Without an action it lists them. retry sends them again with the next sync; those whose record was
    deleted on another device stay: recreate makes their objects anew, with the values that they had here.
    discard gives changes up: objects keep what they have here. With RECORD names, only those are meant.
    export writes all that is known of them as JSON. Files that the server does not give are listed too; they
    are tried now and then all the same, and by retry at once.
    """,
  arguments: [
    .init("STORE", "an SQLite store that syncctl init has set up"),
    .init("ACTION", "retry, recreate, discard or export", count: .optional),
    .init("RECORD", "the names of records, as they are listed; all without", count: .any),
  ],
  options: [.json],
  examples: [
    .init("syncctl failed log.sqlite", "what failed, and why"),
    .init("syncctl failed log.sqlite retry", "send it again with the next sync"),
    .init("syncctl failed log.sqlite export > failed.json", "keep what was lost"),
  ],
  exits: [
    .init(.ok, "done; nothing is failed where they were listed"),
    .init(.attention, "there are failed changes"), .unreadable, .damaged, .busy,
  ],
  run: { call in
    let (path, action) = (call.arguments[0], call.arguments.dropFirst().first)
    guard let action, action != "export" else {
      return try list(path, call.console, asJSON: call.has("json") || action == "export")
    }
    guard let row = FailedAction.rows.first(where: { $0.name == action }) else {
      throw UsageError(
        "there is no action \"\(action)\"",
        fix: "write retry, recreate, discard or export, or none of them")
    }
    let names = Set(call.arguments.dropFirst(2))
    let store = try SyncedStoreFile(path).store
    if let name = names.subtracting(try store.failedChanges().map(\.recordName)).sorted().first {
      throw UsageError("nothing of a record \"\(name)\" has failed", fix: "syncctl failed \(path)")
    }
    let count = try row.run(store, names.isEmpty ? nil : names)
    call.console.writeText("\(counted(count, "change")) \(row.outcome)\n")
    return .ok
  })

private func list(_ path: String, _ console: Console, asJSON: Bool) throws -> ExitCode {
  let store = try StoreFiles.open(path)
  let (failures, files) = (try store.failedChanges(), try store.missingFiles())
  let isEmpty = failures.isEmpty && files.isEmpty
  if asJSON {
    try console.write([
      "format": "contrail-failed-1", "failed": .list(failures.map(\.json)),
      "files": .list(files.map(\.json)),
    ])
  } else {
    console.writeText(
      isEmpty ? "nothing has failed\n" : (failures.map(\.text) + files.map(\.text)).joined())
  }
  return isEmpty ? .ok : .attention
}

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
