import CommandKit
import SyncClient
import SyncCore

extension ExitCode {
  /// Something is parked or failed, or a policy has to decide.
  static let attention = ExitCode(rawValue: 10)
  /// Changes are still to be sent.
  static let pending = ExitCode(rawValue: 11)
  /// The server wants credentials, or refuses those that it got.
  static let credentials = ExitCode(rawValue: 12)
  /// Production lacks something, or the schema cannot be synced.
  static let schema = ExitCode(rawValue: 13)
  /// The server gave no answer.
  static let network = ExitCode(rawValue: 14)
}

extension Command.ExitMeaning {
  static let refusedCredentials = Self(
    .credentials, "the server wants credentials, or refuses those that it got")
  static let noAnswer = Self(.network, "the server gave no answer")
  static let unsyncable = Self(.schema, "the schema has parts that no record can hold")

  /// How commands end that look at a store's sync.
  static let sync: [Command.ExitMeaning] = [
    .init(.ok, "in sync, as far as is known here"),
    .init(.attention, "a change has failed, a file does not come, or something has to be decided"),
    .init(.schema, "changes wait until production has a type or a field"),
    .init(.pending, "changes are still to be sent, or files to be fetched"),
    .refusedCredentials, .noAnswer, .unreadable, .damaged, .busy,
  ]

  /// How commands end that run a pass.
  static let exchange = sync.map { meaning in
    meaning.code == .schema
      ? Self(.schema, "\(meaning.meaning), or the schema has parts that no record can hold")
      : meaning
  }
}

extension SyncStatus {
  /// What a command that looked at it ends with.
  var exitCode: ExitCode {
    if failed > 0 || missingFiles > 0 || trouble != nil { return .attention }
    if let obstacle { return obstacle.exitCode }
    if parked > 0 { return .schema }
    return pending > 0 || awaitedFiles > 0 ? .pending : .ok
  }
}

extension SyncObstacle {
  fileprivate var exitCode: ExitCode {
    switch kind {
    case .unreachable: .network
    case .signIn: .credentials
    case .refused, .broken: .attention
    }
  }

  /// What keeps passes from their end, as a sentence without a full stop.
  var words: String {
    switch kind {
    case .unreachable: "no answer: \(reason)"
    case .signIn where reason.isEmpty: "the server refuses the credentials"
    case .signIn: "the server wants somebody to sign in: \(reason)"
    case .refused, .broken: reason
    }
  }
}

extension SyncSummary {
  /// What a command that ran a pass ends with.
  var exitCode: ExitCode {
    switch outcome {
    case .signIn: return .credentials
    case .unreachable: return .network
    case .trouble, .refused, .broken: return .attention
    case .complete, .unfinished, .stopped: break
    }
    if failed > 0 || missingFiles > 0 { return .attention }
    if parked > 0 { return .schema }
    return pending > 0 || awaitedFiles > 0 ? .pending : .ok
  }

  /// Why a pass ended before everything was exchanged; nil where it was.
  var complaint: String? { outcome.complaint }
}

extension SyncMachine.Outcome {
  /// What a policy has to decide; nil for nothing.
  var trouble: Trouble? {
    if case .trouble(let trouble) = self { trouble } else { nil }
  }

  /// What stood in the way; nil for nothing.
  var complaint: String? {
    switch self {
    case .complete: nil
    case .unfinished: "others write all the time; what is left goes with the next pass"
    case .unreachable(let why): "no answer: \(why)"
    case .signIn(nil): "the server refuses the credentials"
    case .signIn(let url?): "the server wants somebody to sign in: \(url)"
    case .trouble(let trouble): "\(trouble.words); decide: syncctl resolve"
    case .refused(let why), .broken(let why): why
    case .stopped: "stopped; the next run goes on from here"
    }
  }
}

extension Trouble {
  /// What happened, as a sentence without a full stop.
  var words: String {
    switch self {
    case .accountSwitched: "the server knows this user by another name than before"
    case .zoneDeleted: "the zone was deleted on the server; nothing was changed here"
    case .zoneReset: "the zone was deleted and made again; nothing was changed here"
    case .serverRestored:
      "the server lacks records that it had: it was restored from a backup; nothing was changed here"
    case .tokenExpired: "the server no longer knows what was deleted since the last sync"
    case .quotaExceeded: "the account's quota is used up"
    }
  }
}
