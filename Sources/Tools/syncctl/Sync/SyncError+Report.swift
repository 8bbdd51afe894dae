import CommandKit
import SyncClient

extension SyncError: LocatedError {
  var report: String {
    "syncctl: error: \(subject): \(message) [\(code.rawValue)]"
      + (fix.map { "\n  fix  \($0)" } ?? "")
  }

  var exitCode: ExitCode { Self.exitCodes[code] ?? .unusable }

  private static let exitCodes: [Code: ExitCode] = [.newerTables: .damaged, .busy: .busy]
}
