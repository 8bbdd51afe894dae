import CommandKit
import FoundationEssentials
import SyncClient

extension SyncTokens {
  /// Who a sync command is to the server: tokens come from the call, the environment, or a file that only
  /// its owner may read, in this order.
  init(_ call: Invocation) throws {
    do throws(SyncError) {
      try self.init(
        api: call.value("api-token"), user: call.value("user-token"),
        file: call.value("credentials"), environment: ProcessInfo.processInfo.environment)
    } catch {
      let fix =
        error.code == .noCredentials
        ? "set \(Self.apiVariable) and \(Self.userVariable), or name a file: --credentials FILE"
        : error.fix
      throw UsageError("\(error.subject) \(error.message)", fix: fix ?? "")
    }
  }
}

extension Command.Option {
  /// How to reach and convince a record server as a user.
  static let userCredentials: [Command.Option] = [
    .value(
      "credentials", "FILE",
      "a file with \(SyncTokens.apiVariable)=… and \(SyncTokens.userVariable)=…"),
    .value("api-token", "TOKEN", "the program's token; better kept in the environment"),
    .value("user-token", "TOKEN", "the user's token; better kept in the environment"),
    .value("ca-file", "FILE", "certificates to trust in place of the system's, in PEM"),
    .flag("insecure-http", "send tokens over plain HTTP to another machine"),
  ]
}
