import CommandKit
import SyncClient

let promoteCommand = Command(
  "promote",
  summary: "Promote the schema of the container that a store is synced with.",
  discussion: """
    The same as schema promote, with the server and the container that syncctl init has noted down.
    Changes that were parked since production lacked something are sent by the next sync.
    """,
  arguments: [.init("STORE", "an SQLite store that syncctl init has set up")],
  options: Command.Option.credentials + [
    .flag("dry-run", "say what would be done, and change nothing"),
    .values("accept", "RULE", "rules about pitfalls to pass over, such as write-to-world"), .json,
  ],
  examples: [
    .init("syncctl promote log.sqlite --dry-run", "what would it add?"),
    .init("syncctl promote log.sqlite", "then: syncctl sync log.sqlite"),
  ],
  exits: [
    .init(.ok, "done, or there was nothing to do; with --dry-run: it could be done"),
    .init(.findings, "refused; nothing was changed"),
  ] + Command.ExitMeaning.server,
  run: { call in
    let path = call.arguments[0]
    let configuration = try StoreFiles.open(path).syncedConfiguration(path)
    return try promote(call, ManagementClient(call, configuration, command: "promote"))
  })
