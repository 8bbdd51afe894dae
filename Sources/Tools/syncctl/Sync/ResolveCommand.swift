import CommandKit
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
  options: [],
  examples: [
    .init("syncctl resolve log.sqlite", "what has happened?"),
    .init("syncctl resolve log.sqlite reupload", "then: syncctl sync log.sqlite"),
  ],
  exits: [
    .init(.ok, "decided; or there is nothing to be decided"),
    .init(.attention, "something has to be decided"), .unreadable, .damaged, .busy,
  ],
  run: { call in
    let path = call.arguments[0]
    guard call.arguments.count > 1 else { return try tellTrouble(path, call) }
    guard let policy = TroublePolicy(word: call.arguments[1]) else {
      throw UsageError(
        "there is no policy \"\(call.arguments[1])\"",
        fix: "write keep-local, reupload or delete-local")
    }
    let store = try SyncedStoreFile(path).store
    guard let trouble = try SyncStatus.read(store).trouble else {
      call.console.writeText("nothing has to be decided\n")
      return .ok
    }
    try store.resolveTrouble(policy)
    call.console.writeText(
      """
      \(trouble.words)
      decided: \(policy.word)
      next: syncctl sync \(path)

      """)
    return .ok
  })

private func tellTrouble(_ path: String, _ call: Invocation) throws -> ExitCode {
  guard let trouble = try SyncStatus.read(try StoreFiles.open(path)).trouble else {
    call.console.writeText("nothing has to be decided\n")
    return .ok
  }
  call.console.writeText("\(trouble.words)\n")
  return .attention
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
