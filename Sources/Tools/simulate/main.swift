import CommandKit
import FoundationEssentials
import Glibc
import SQLiteDriver

// Sets and dictionaries come in another order in each process, unless this is set before it begins.
DeterministicHashing.require()
signal(SIGPIPE, SIG_IGN)
SQLiteLibrary.keepNoMemoryStatistics()

exit(
  Tool(
    name: "simulate", version: toolVersion,
    summary: "Proves sync: worlds of devices, a network and a server, each from one seed.",
    commands: [simulateCommand]
  ).run(
    Array(CommandLine.arguments.dropFirst()),
    console: .standard(environment: ProcessInfo.processInfo.environment)
  ).rawValue)
