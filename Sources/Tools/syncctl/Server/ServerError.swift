import CommandKit
import HTTPTransport
import RecordWire
import SyncClient

/// A server that does not do what it was asked: what it says, and what to do.
struct ServerError: LocatedError {
  let message: String
  let fix: String
  var exitCode = ExitCode.unusable

  init(_ message: String, fix: String) {
    self.message = message
    self.fix = fix
  }

  var report: String { "syncctl: error: \(message)\n  fix  \(fix)" }
}

extension ServerError {
  /// No answer at all.
  init(_ error: HTTPClientError) {
    let fix =
      error.code == .untrustedCertificate
      ? "\(error.fix): --ca-file FILE" : error.fix
    self.init("\(error.url): \(error.message)", fix: fix)
    if !Self.mistakes.contains(error.code) { exitCode = .network }
  }

  /// What is wrong with the call, and not with the way to the server.
  private static let mistakes: Set<HTTPClientError.Code> = [.badURL, .badHeader, .badCAFile]

  /// An answer that is an error as a whole.
  init(_ answer: ManagementClient.Answer, of client: ManagementClient) {
    guard let failure = try? RequestFailure(json: answer.body) else {
      self.init(
        "\(client.server.base) answered \(answer.status), and not in the way of a record server",
        fix: "check --server; see what answers there: curl \(client.server.base)/health")
      return
    }
    self.init(
      "\(client.server.base) says \(failure)",
      fix: Self.fixes[failure.code] ?? "correct the call; the server's log has more")
    if failure.isAboutCredentials { exitCode = .credentials }
    if failure.code.row?.isTransient == true { exitCode = .busy }
  }

  private static let fixes: [ErrorCode: String] = [
    .authenticationFailed: tokenFix, .authenticationRequired: tokenFix,
    .accessDenied: "use a token that may do this",
    .notFound: "check --container and --server",
    .throttled: "wait, then try again", .tryAgainLater: "wait, then try again",
    .internalError: "try again; the server's log says what went wrong",
  ]

  private static let tokenFix =
    "use a management token of this server: \(ManagementClient.tokenVariable), or --token"
}
