import CommandKit
import FoundationEssentials
import Glibc

/// Who a sync command is to the server.
///
/// Tokens come from the call, the environment, or a file that only its owner may read, in this order. They
/// are never printed.
struct SyncCredentials {
  var apiToken: String?
  var userToken: String?

  static let apiVariable = "CONTRAIL_API_TOKEN"
  static let userVariable = "CONTRAIL_USER_TOKEN"
  static let fileVariable = "CONTRAIL_CREDENTIALS"

  init(_ call: Invocation) throws {
    let environment = ProcessInfo.processInfo.environment
    var kept: [String: String] = [:]
    if let path = call.value("credentials") ?? environment[Self.fileVariable] {
      kept = try Self.read(path)
    }
    apiToken = try Self.checked(
      call.value("api-token") ?? environment[Self.apiVariable] ?? kept[Self.apiVariable],
      "the API token")
    userToken = try Self.checked(
      call.value("user-token") ?? environment[Self.userVariable] ?? kept[Self.userVariable],
      "the user's token")
    if apiToken == nil || userToken == nil {
      throw UsageError(
        "the server has to know the program and the user",
        fix: "set \(Self.apiVariable) and \(Self.userVariable), or name a file: --credentials FILE")
    }
  }

  private static func checked(_ token: String?, _ what: String) throws(UsageError) -> String? {
    guard let token, !token.isEmpty else { return nil }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw UsageError(
        "\(what) has blanks or other characters that no token has",
        fix: "copy it again, in one line")
    }
    return token
  }

  /// Reads lines of the form `NAME=VALUE`; those that begin with # say nothing.
  private static func read(_ path: String) throws -> [String: String] {
    var about = stat()
    guard stat(path, &about) == 0 else {
      throw DiskError(path: path, problem: String(cString: strerror(errno)))
    }
    guard about.st_mode & 0o077 == 0 else {
      throw UsageError(
        "\(path) holds credentials, and others may read it", fix: "chmod 600 \(path)")
    }
    let bytes = try Disk().bytes(of: path)
    var found: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
      found[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
    return found
  }
}

extension Command.Option {
  /// How to reach and convince a record server as a user.
  static let userCredentials: [Command.Option] = [
    .value(
      "credentials", "FILE",
      "a file with \(SyncCredentials.apiVariable)=… and \(SyncCredentials.userVariable)=…"),
    .value("api-token", "TOKEN", "the program's token; better kept in the environment"),
    .value("user-token", "TOKEN", "the user's token; better kept in the environment"),
    .value("ca-file", "FILE", "certificates to trust in place of the system's, in PEM"),
    .flag("insecure-http", "send tokens over plain HTTP to another machine"),
  ]
}
