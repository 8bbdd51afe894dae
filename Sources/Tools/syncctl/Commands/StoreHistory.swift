import CommandKit
import DataModel
import FoundationEssentials
import JSONStream
import ObjectStore

let storeHistoryCommand = Command(
  "history",
  summary: "List what was changed in a store, transaction by transaction.",
  discussion: """
    The oldest transaction comes first. The last line has the token from which to go on later. A
    deleted object shows the values that its entity preserves. Nothing is written.
    """,
  arguments: [.init("STORE", storeKinds)],
  options: [
    .value("after", "TOKEN", "only what came after this token, or after this transaction's number"),
    .value("since", "DATE", "only transactions after this day or moment, as in 2026-01-31"),
    .value("author", "NAME", "only transactions of this author"),
    .value("entity", "ENTITY", "only changes to its objects, and to those that inherit from it"),
    .value("limit", "N", "so many transactions at most"),
    .flag("newest-first", "begin with the newest transaction"), .json,
  ],
  examples: [
    .init("syncctl history log.sqlite --newest-first --limit 5", "what happened last"),
    .init("syncctl history log.sqlite --author sync --entity LogEntry", "what came from elsewhere"),
    .init("syncctl history log.sqlite --after 12 --json", "what is new, for a program"),
  ],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    let store = try StoreFiles.open(call.arguments[0])
    let request = try historyRequest(call, store)
    let token = try store.historyToken()
    if call.has("json") {
      let transactions = try store.history(request)
      let next = request.next(transactions.count, transactions.last, token)
      try call.console.write([
        "format": "contrail-history-1", "store": .string(store.identifier.uuidString),
        "token": .string(next.description), "transactions": .list(transactions.map(\.json)),
      ])
      return .ok
    }
    var count = 0
    var last: HistoryTransaction?
    try store.forEachHistoryPage(request) { page in
      for transaction in page {
        if last?.isContinued != true {
          count += 1
          call.console.writeText(transaction.head)
        }
        last = transaction
        call.console.writeText(transaction.changes.map { "  \($0.line)\n" }.joined())
      }
    }
    let next = request.next(count, last, token)
    call.console.writeText("\(counted(count, "transaction")); go on with --after \(next)\n")
    return .ok
  })

extension HistoryRequest {
  /// The place from which to go on, when `count` transactions up to `last` have been listed.
  fileprivate func next(
    _ count: Int, _ last: HistoryTransaction?, _ newest: HistoryToken
  ) -> HistoryToken {
    guard let last, order == .oldestFirst else { return newest }
    // Where there may be more of it, behind the last one; else behind all that there was to look at.
    return count == limit ? last.token : max(last.token, newest)
  }
}

private func historyRequest(_ call: Invocation, _ store: Store) throws -> HistoryRequest {
  if call.has("after"), call.has("since") {
    throw UsageError("--after and --since are two places to begin", fix: "leave out one of them")
  }
  var request = HistoryRequest()
  if let text = call.value("after") {
    if let number = Int64(text), number >= 0 {
      request.after = .transaction(number)
    } else if let token = HistoryToken(text) {
      request.after = .token(token)
    } else {
      throw UsageError(
        "--after cannot be \"\(text)\"", fix: "a token, as syncctl history prints it, or a number")
    }
  }
  if let text = call.value("since") {
    guard let date = Date(typed: text) else {
      throw UsageError(
        "--since cannot be \"\(text)\"", fix: "a day, 2026-01-31, or a moment, 2026-01-31T09:30:00Z"
      )
    }
    request.after = .date(date)
  }
  request.authors = call.value("author").map { [$0] }
  request.entities = try call.value("entity").map { [try store.entity(typed: $0).name] }
  request.limit = try call.count("limit", atLeast: 1)
  request.order = call.has("newest-first") ? .newestFirst : .oldestFirst
  return request
}

extension HistoryTransaction {
  /// `#3  2026-01-05T09:02:00Z  by app in flightlog, 2 changes`.
  var head: String {
    let who = [author.map { "by \($0)" }, process.map { "in \($0)" }].compactMap { $0 }
    let origin = who.isEmpty ? "" : who.joined(separator: " ") + ", "
    return "#\(number)  \(time.shown)  \(origin)\(counted(Int(clamping: changeCount), "change"))\n"
      .oneLineEnd
  }

  var json: JSONValue {
    [
      "number": .integer(number), "token": .string(token.description), "time": .string(time.shown),
      "author": author.map { .string($0) } ?? nil, "process": process.map { .string($0) } ?? nil,
      "changeCount": .integer(changeCount), "changes": .list(changes.map(\.json)),
    ]
  }
}

extension String {
  /// The line with nothing that breaks it but its end.
  fileprivate var oneLineEnd: String { String(dropLast()).oneLine + "\n" }
}

extension ChangeKind {
  var name: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }
}

extension HistoryChange {
  /// `update  Pilot/1  name, licence`.
  var line: String {
    let values = tombstone.map { tombstone in
      tombstone.values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.line)" }
    }
    let details = updatedProperties.map(\.shown) + (values ?? [])
    return "\(kind.name)  \(entity.shown)/\(key)"
      + (details.isEmpty ? "" : "  \(details.joined(separator: ", "))")
  }

  var json: JSONValue {
    let values = tombstone.map { tombstone in
      JSONValue(
        .object(
          tombstone.values.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.json) }))
    }
    return [
      "kind": .string(kind.name), "entity": .string(entity.name), "key": .integer(key),
      "properties": .list(updatedProperties.map(\.name)), "preserved": values ?? nil,
    ]
  }
}

extension HistoryName {
  /// The name, and that the schema has it no longer.
  fileprivate var shown: String { isLive ? name : "\(name) (removed)" }
}
