import CommandKit
import JSONStream
import ObjectStore
import SyncClient
import SyncCore

let resolveCommand = Command(
  "resolve",
  summary: "Decide what to do about trouble that stopped a store's sync.",
  discussion: """
    Trouble is what happens to an account or a zone as a whole: another account, a zone that was deleted or
    made anew, a server that was put back to a backup, a quota that is used up. Sync stops then and changes
    nothing, neither here nor there, until somebody decides:

      keep-local    what is here stays, and what the server lacks is not sent again until it is edited
      reupload      what the server lacks is sent again
      delete-local  what the server lacks goes here too; edits that were not sent are kept as failed

    After a quota was used up, these are about the changes that the server did not take: keep-local leaves
    them failed, reupload sends them again, delete-local gives them up.
    """,
  arguments: [
    .init("STORE", "an SQLite store that syncctl init has set up"),
    .init(
      "POLICY", "keep-local, reupload or delete-local; tells what happened if there is none",
      count: .optional),
  ],
  options: [.json],
  examples: [
    .init("syncctl resolve log.sqlite", "what has happened?"),
    .init("syncctl resolve log.sqlite reupload", "then: syncctl sync log.sqlite"),
  ],
  exits: [
    .init(.ok, "decided; or there is nothing to be decided"),
    .init(.attention, "something has to be decided"), .unsyncable, .unreadable, .damaged, .busy,
  ],
  run: { call in
    let path = call.arguments[0]
    let decision = try Decision(path, call.arguments.dropFirst().first)
    if call.has("json") {
      try call.console.write(decision.json)
    } else {
      call.console.writeText(decision.text(path))
    }
    return decision.isDue ? .attention : .ok
  })

/// What has happened to a store's sync, and what is done about it from now on.
private struct Decision {
  let trouble: Trouble?
  /// What was decided; nil where nothing was, or had to be.
  let policy: TroublePolicy?

  /// Decides, where a policy is named and there is something to decide.
  init(_ path: String, _ word: String?) throws {
    guard let word else {
      trouble = try SyncStatus.read(StoreFiles.open(path)).trouble
      self.policy = nil
      return
    }
    guard let policy = TroublePolicy(word: word) else {
      throw UsageError(
        "there is no policy \"\(word)\"", fix: "write keep-local, reupload or delete-local")
    }
    let store = try SyncedStoreFile(path).store
    trouble = try SyncStatus.read(store).trouble
    self.policy = trouble == nil ? nil : policy
    if trouble != nil { try store.resolveTrouble(policy) }
  }

  /// Whether somebody still has to decide.
  var isDue: Bool { trouble != nil && policy == nil }

  var json: JSONValue {
    [
      "format": "contrail-resolve-1", "trouble": .maybe(trouble?.rawValue),
      "message": .maybe(trouble?.words), "policy": .maybe(policy?.word),
    ]
  }

  func text(_ path: String) -> String {
    guard let trouble else { return "nothing has to be decided\n" }
    guard let policy else { return "\(trouble.words)\n" }
    return """
      \(trouble.words)
      decided: \(policy.word)
      next: syncctl sync \(path)

      """
  }
}

extension TroublePolicy {
  /// What it is called on a command line; nil for what is no decision.
  fileprivate var word: String {
    switch self {
    case .ask: "ask"
    case .keepLocal: "keep-local"
    case .reupload: "reupload"
    case .deleteLocal: "delete-local"
    }
  }

  fileprivate init?(word: String) {
    let found = Self.allCases.first { $0 != .ask && $0.word == word }
    guard let found else { return nil }
    self = found
  }
}
