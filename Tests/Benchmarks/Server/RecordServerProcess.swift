import FoundationEssentials
import Glibc
import RecordWire
import ServerFloors

/// A `recordd` with a data folder of its own, and the tokens that it has made.
final class RecordServerProcess {
  let port: UInt16
  let isTLS: Bool
  let process: ChildProcess
  private let data: String
  let apiToken: String
  let webToken: String
  private let managementToken: String

  static let container = "contrail.local"
  /// One event loop, as nginx has one process: what a request costs, not how many processors there are.
  private static let loops = 1
  /// More requests in a second than can be made: the limits count, and refuse nobody.
  private static let requestsMax = "1000000"
  private static let startSecondsMax = 10.0

  /// Starts a server with an empty data folder, under TLS if it has a certificate.
  init(in folder: String, tls: Certificate? = nil) throws {
    port = server_free_port()
    isTLS = tls != nil
    data = "\(folder)/data"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var arguments = [
      "serve", "--data", data, "--listen", "127.0.0.1:\(port)", "--loops", "\(Self.loops)",
      "--log-level", "warning",
    ]
    arguments += ["--user-streams-max", Self.requestsMax]
    for kind in ["user", "token", "address"] {
      arguments += ["--\(kind)-requests-per-second", Self.requestsMax]
    }
    if let tls { arguments += ["--tls-certificate", tls.certificate, "--tls-key", tls.key] }
    let program = Program.beside("recordd")
    process = try ChildProcess(program.path, arguments, output: "\(folder)/start")
    let port = port
    // The tokens are printed when everything else is ready; the management tokens come last.
    try Waiting.until(atMost: Self.startSecondsMax, "recordd starts") {
      server_listens(port) != 0
        && SmallText.read("\(folder)/start").contains("management token")
    }
    let printed = SmallText.read("\(folder)/start")
    apiToken = try Self.token(in: printed)
    managementToken = try Self.managementToken(in: printed)
    webToken = try Self.webToken(program, data, "\(folder)/token")
  }

  /// The file with the records of the environment that is measured.
  var recordsPath: String { "\(data)/containers/\(Self.container)/development.sqlite" }

  /// The path of an operation, with the tokens that it takes.
  func path(_ scope: String, _ operation: String, asUser: Bool = true) -> String {
    "/database/1/\(Self.container)/development/\(scope)/\(operation)?\(query(asUser: asUser))"
  }

  /// The path of the stream of changes.
  var streamPath: String {
    "/contrail/1/\(Self.container)/development/private/changes/stream?\(query(asUser: true))"
  }

  private func query(asUser: Bool) -> String {
    "ckAPIToken=\(apiToken)" + (asUser ? "&ckWebAuthToken=\(Self.encoded(webToken))" : "")
  }

  /// The API token out of what the first start prints.
  private static func token(in text: String) throws -> String {
    for line in text.split(separator: "\n") where line.contains("API token") {
      let words = line.split(separator: " ")
      if words.last == "development", words.count == 4 { return String(words[2]) }
    }
    throw BenchFailure("recordd printed no API token for development")
  }

  private static func managementToken(in text: String) throws -> String {
    for line in text.split(separator: "\n") where line.contains("management token") {
      if let token = line.split(separator: " ").last { return String(token) }
    }
    throw BenchFailure("recordd printed no management token")
  }

  /// Makes `schema`, the text of a `.ckdb` file, that of the environment that is measured.
  func importSchema(_ schema: String) throws {
    let body = try SchemaTextRequest(schema: schema).json()
    let head = [
      "POST /management/1/\(Self.container)/schema/import HTTP/1.1", "Host: localhost",
      "Authorization: Bearer \(managementToken)", "Content-Type: application/json",
      "Content-Length: \(body.count)", "", "",
    ]
    _ = try Requests.ask(self, Array(head.joined(separator: "\r\n").utf8) + body)
  }

  private static func webToken(
    _ program: Program, _ data: String, _ output: String
  ) throws -> String {
    try ChildProcess(
      program.path, ["user", "token", "owner", "--data", data, "--container", container],
      output: output
    ).wait()
    return SmallText.read(output).split(separator: "\n").first.map(String.init) ?? ""
  }

  /// What base64 has beyond letters and digits would be something else in a query.
  private static func encoded(_ token: String) -> String {
    token.utf8.reduce(into: "") { query, byte in
      let isPlain =
        byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "=")
      query +=
        isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
  }
}

/// Waits for what another process does.
enum Waiting {
  static func until(
    atMost seconds: Double, _ what: String, _ isTrue: () -> Bool
  ) throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while !isTrue() {
      guard clock.now < end else { throw BenchFailure("waited in vain for: \(what)") }
      usleep(10_000)
    }
  }
}

/// Why a benchmark cannot be run.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The files of a certificate that its own key has signed.
struct Certificate {
  let certificate: String
  let key: String

  /// Makes a key on the curve P-256 and a certificate of it.
  init(in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
    try ChildProcess(
      Program.installed("openssl").path,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "2",
        "-subj", "/CN=localhost", "-out", certificate, "-keyout", key,
      ]
    ).wait()
  }
}
