import FoundationEssentials

/// Who a program is to a record server, or where that is said.
///
/// It is never printed: descriptions and mirrors say where tokens come from, and not what they are.
public struct SyncCredentials: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case environment
    case file(String)
    case tokens(SyncTokens)
  }

  let source: Source

  /// The variables `CONTRAIL_API_TOKEN` and `CONTRAIL_USER_TOKEN`; where one is not there, the file that
  /// `CONTRAIL_CREDENTIALS` names.
  public static let environment = SyncCredentials(source: .environment)

  /// A file that only its owner may read, with lines of the form `CONTRAIL_API_TOKEN=…` and
  /// `CONTRAIL_USER_TOKEN=…`.
  public static func file(_ path: String) -> SyncCredentials {
    SyncCredentials(source: .file(path))
  }

  /// These: the program's token and the user's.
  public static func tokens(api: String, user: String) -> SyncCredentials {
    SyncCredentials(source: .tokens(SyncTokens(api: api, user: user)))
  }

  /// The tokens, as they are at this moment.
  public func tokens() throws(SyncError) -> SyncTokens {
    switch source {
    case .environment: try SyncTokens(environment: ProcessInfo.processInfo.environment)
    case .file(let path): try SyncTokens(file: path, environment: [:])
    case .tokens(let tokens):
      try SyncTokens(api: tokens.api, user: tokens.user, environment: [:])
    }
  }
}

extension SyncCredentials: CustomStringConvertible, CustomReflectable {
  /// Where the tokens come from.
  public var description: String {
    switch source {
    case .environment: "the environment's tokens"
    case .file(let path): "the tokens of \(path)"
    case .tokens: "given tokens"
    }
  }

  /// Nothing: a dump shows no tokens.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The program's token and the user's.
public struct SyncTokens: Hashable, Sendable {
  /// The variable and the line of a file that has the program's token.
  public static let apiVariable = "CONTRAIL_API_TOKEN"
  /// The variable and the line of a file that has the user's token.
  public static let userVariable = "CONTRAIL_USER_TOKEN"
  /// The variable that names a file with both.
  public static let fileVariable = "CONTRAIL_CREDENTIALS"

  /// The program's token.
  public let api: String
  /// The user's token.
  public let user: String

  init(api: String, user: String) {
    self.api = api
    self.user = user
  }

  /// Takes each token from what is given, the environment, or a file, in this order.
  public init(
    api: String? = nil, user: String? = nil, file: String? = nil, environment: [String: String]
  ) throws(SyncError) {
    var kept: [String: String] = [:]
    if let path = file ?? environment[Self.fileVariable] {
      kept = Self.lines(try CredentialsFile.text(path))
    }
    func token(_ given: String?, _ name: String, _ what: String) throws(SyncError) -> String? {
      try Self.checked(given ?? environment[name] ?? kept[name], what)
    }
    guard let api = try token(api, Self.apiVariable, "the API token"),
      let user = try token(user, Self.userVariable, "the user's token")
    else {
      throw SyncError(
        .noCredentials, "the server", "has to know the program and the user",
        fix: "set \(Self.apiVariable) and \(Self.userVariable), or give other credentials")
    }
    self.init(api: api, user: user)
  }

  private static func checked(
    _ token: String?, _ what: String
  ) throws(SyncError) -> String? {
    guard let token, !token.isEmpty else { return nil }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw SyncError(
        .badCredentials, what, "has blanks or other characters that no token has",
        fix: "copy it again, in one line")
    }
    return token
  }

  /// Lines of the form `NAME=VALUE`; those that begin with # say nothing.
  private static func lines(_ text: String) -> [String: String] {
    var found: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
      found[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
    return found
  }
}

extension SyncTokens: CustomStringConvertible, CustomReflectable {
  /// That there are tokens, and not what they are.
  public var description: String { "tokens" }

  /// Nothing: a dump shows no tokens.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
