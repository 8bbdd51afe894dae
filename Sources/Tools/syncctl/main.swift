import CommandKit
import FoundationEssentials
import Glibc
import SQLiteDriver

// One row per verb; help, parsing and completions are made from the rows.
let syncctl = Tool(
  name: "syncctl",
  version: toolVersion,
  summary:
    "Syncs stores with a record server, checks and compares their schemas, and looks into stores.",
  commands: [
    lintCommand, schemaShowCommand, schemaDiffCommand, schemaPlanCommand, schemaImpactCommand,
    schemaConvertCommand, schemaHashCommand, schemaExportCommand, schemaValidateCommand,
    schemaImportCommand, schemaPromoteCommand, schemaResetCommand, schemaAuditCommand,
    storeShowCommand, storeQueryCommand,
    storeHistoryCommand, storeMigrateCommand,
    initCommand, syncCommand, pushCommand, pullCommand, statusCommand, failedCommand,
    resolveCommand, promoteCommand, zonesCommand, doctorCommand, migrateContainerCommand,
    logCommand, explainCommand, verifyCommand,
  ])

// A reader that goes away ends the output with an error of `write`, not with a signal.
signal(SIGPIPE, SIG_IGN)
SQLiteLibrary.keepNoMemoryStatistics()

let code = syncctl.run(
  Array(CommandLine.arguments.dropFirst()),
  console: .standard(environment: ProcessInfo.processInfo.environment))
ReadDatabases.tidy()
exit(code.rawValue)
