import CommandKit
import DataModel
import JSONStream
import ObjectStore
import RecordWire
import SyncClient

/// What can be done about changes that the server did not take: a word, what it does to a store, and how that
/// is told.
private struct FailedAction: Sendable {
  let name: String
  let run: @Sendable (_ store: Store, _ records: Set<String>?) throws -> Int
  let outcome: String
  /// Why some may be left.
  let whatStays: String

  static let rows = [
    FailedAction(
      name: "retry", run: { try $0.retryFailedChanges(of: $1) }, outcome: "will be tried again",
      whatStays: "what was deleted elsewhere can be made anew, or discarded"),
    FailedAction(
      name: "recreate", run: { try $0.recreateFailedChanges(of: $1) },
      outcome: "made anew, and sent by the next sync",
      whatStays: "what was not deleted elsewhere can be tried again, or discarded; "
        + "what the server has again can only be discarded"),
    FailedAction(
      name: "discard", run: { try $0.discardFailedChanges(of: $1) }, outcome: "given up",
      whatStays: "an object that became another one would become that again; it can be tried again"),
  ]
}

let failedCommand = Command(
  "failed",
  summary: "List changes that the server did not take, try them again, or give them up.",
  discussion: """
    Without an action, or with list, it lists them. retry sends them again with the next sync; those whose
    record was deleted on another device stay: recreate makes their objects anew, with the values that they
    had here. discard gives changes up: objects keep what they have here, and what was deleted here is again
    as the server has it. export writes all that is known of them as JSON, with what their objects have now.
    With RECORD names, only those are meant. Files that the server does not give are listed too; they are
    tried now and then all the same, and by retry at once.
    """,
  arguments: [
    .init("STORE", "an SQLite store that syncctl init has set up"),
    .init("ACTION", "list, retry, recreate, discard or export", count: .optional),
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
    .init(.attention, "there are failed changes"), .unsyncable, .unreadable, .damaged, .busy,
  ],
  run: { call in
    let (path, action) = (call.arguments[0], call.arguments.dropFirst().first ?? "list")
    let names = Set(call.arguments.dropFirst(2))
    if action == "list" || action == "export" {
      let list = try FailureList(path, names)
      return try list.write(call.console, asJSON: call.has("json") || action == "export")
    }
    guard let row = FailedAction.rows.first(where: { $0.name == action }) else {
      throw UsageError(
        "there is no action \"\(action)\"",
        fix: "write list, retry, recreate, discard or export, or none of them")
    }
    let store = try SyncedStoreFile(path).store
    try requireFailed(names, among: store.failedChanges().map(\.recordName), path)
    let count = try row.run(store, names.isEmpty ? nil : names)
    let left = try store.failedChanges().count { names.isEmpty || names.contains($0.recordName) }
    if call.has("json") {
      try call.console.write([
        "format": "contrail-failed-action-1", "action": .string(row.name),
        "count": .integer(Int64(count)), "left": .integer(Int64(left)),
      ])
    } else {
      call.console.writeText("\(counted(count, "change")) \(row.outcome)\n")
      if left > 0 { call.console.writeText("\(counted(left, "change")) left: \(row.whatStays)\n") }
    }
    return .ok
  })

/// Refuses names of records of which nothing has failed: who mistypes one may mean all to be given up.
private func requireFailed(
  _ names: Set<String>, among failed: [String], _ path: String
) throws(UsageError) {
  guard let name = names.subtracting(failed).sorted().first else { return }
  throw UsageError("nothing of a record \"\(name)\" has failed", fix: "syncctl failed \(path)")
}

/// What has failed of a store, as far as somebody asks for it.
private struct FailureList {
  private let store: Store
  private let failures: [FailedChange]
  private let files: [AwaitedFileFacts]

  /// Those of records with some names; of all where there are none.
  init(_ path: String, _ names: Set<String>) throws {
    store = try StoreFiles.open(path)
    let (failures, files) = (try store.failedChanges(), try store.missingFiles())
    try requireFailed(
      names, among: failures.map(\.recordName) + files.map(\.recordName), path)
    self.failures = failures.filter { names.isEmpty || names.contains($0.recordName) }
    self.files = files.filter { names.isEmpty || names.contains($0.recordName) }
  }

  func write(_ console: Console, asJSON: Bool) throws -> ExitCode {
    let isEmpty = failures.isEmpty && files.isEmpty
    if asJSON {
      try console.write(json())
    } else {
      console.writeText(
        isEmpty ? "nothing has failed\n" : (failures.map(\.text) + files.map(\.text)).joined())
    }
    return isEmpty ? .ok : .attention
  }

  private func json() throws -> JSONValue {
    [
      "format": "contrail-failed-1",
      "failed": .list(try failures.map { $0.json(try fields(of: $0)) }),
      "files": .list(files.map(\.json)),
    ]
  }

  /// What a change is about, as the wire spells it; null for a deletion.
  private func fields(of failure: FailedChange) throws -> JSONValue {
    do {
      let told = try store.explainRecord(failure.recordName, SyncConfiguration(of: store))
      return try .fields(told.failedFields)
    } catch is UnsyncableSchema {
      // Nobody can say what the object would be as a record; what is nowhere else is told all the same.
      return try failure.kept.map { try JSONValue(reading: $0) } ?? nil
    }
  }
}

extension RecordExplanation {
  /// What the object has, with what the failed change keeps in its place; nil where there is neither.
  fileprivate var failedFields: RecordFields? {
    guard let change = changes.first(where: { $0.state == "failed" }), let kept = change.kept
    else { return local }
    // The object is gone, and this is what it was.
    if change.code == SyncFailureCode.deletedRemotely { return kept }
    var fields = local ?? RecordFields()
    for entry in kept.entries where change.edits.contains(where: { $0.isOf(entry.name) }) {
      fields[entry.name] = entry.field.value == .null ? nil : entry.field
    }
    return fields
  }
}

extension RecordExplanation.Clock {
  /// Names are the same when their bytes are.
  fileprivate func isOf(_ name: String) -> Bool { field.utf8.elementsEqual(name.utf8) }
}

extension FailedChange {
  /// How much is shown of what was lost; `--json` has all of it.
  private static let shownMax = 2_000

  private static func shortened(_ text: String) -> String {
    text.count <= shownMax ? text : "\(text.prefix(shownMax))… (--json shows all)"
  }

  fileprivate func json(_ fields: JSONValue) -> JSONValue {
    [
      "recordName": .string(recordName), "recordType": .string(recordType),
      "object": .maybe(object.map { "\($0.entity)/\($0.key)" }), "kind": .string("\(kind)"),
      "code": .string(code), "reason": .string(reason), "attempts": .integer(Int64(attempts)),
      "time": .integer(time), "fields": fields,
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
