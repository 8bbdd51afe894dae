import CommandKit
import FoundationEssentials
import Glibc
import RecordStorageSQLite

// One row per verb; help, parsing and completions are made from the rows.
let recordd = Tool(
  name: "recordd",
  version: toolVersion,
  summary: "Serves records to clients that sync, over CloudKit's web protocol.",
  commands: [
    serveCommand, configCommand,
    containerAddCommand, containerListCommand, restoredCommand,
    userAddCommand, userListCommand, userRevokeCommand, userPasswordCommand, userRolesCommand,
    userTokenCommand,
    tokenAddCommand, tokenListCommand, tokenRevokeCommand,
    keyAddCommand, keyListCommand, keyRevokeCommand,
  ])

// Whatever is made here is for the owner alone.
umask(0o077)
// A reader that goes away ends the output with an error of `write`, not with a signal.
signal(SIGPIPE, SIG_IGN)
SQLiteStorage.claimSQLite()

exit(
  recordd.run(
    Array(CommandLine.arguments.dropFirst()),
    console: .standard(environment: ProcessInfo.processInfo.environment)
  ).rawValue)
