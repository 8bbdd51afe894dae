import CommandKit
import SyncClient

extension SyncError: LocatedError {
  var report: String {
    "syncctl: error: \(subject): \(message) [\(code.rawValue)]"
      + (fix.map { "\n  fix  \($0)" } ?? "")
  }

  var exitCode: ExitCode { Self.exitCodes[code] ?? .unusable }

  private static let exitCodes: [Code: ExitCode] = [
    .newerTables: .damaged, .busy: .busy, .unmappedSchema: .schema, .pendingChanges: .pending,
    // No file and no call is wrong: somebody has to look at what stands between here and the server.
    .badAnswer: .attention,
  ]
}

extension UnsyncableSchema: LocatedError {
  var report: String { "\(self)" }
  var exitCode: ExitCode { .schema }
}
