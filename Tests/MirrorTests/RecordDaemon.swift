import ChildPrograms
import Contrail

/// A real `recordd` over TLS in a folder of its own; both end with it.
final class RecordDaemon {
  let folder: TemporaryFolder
  let url: String
  private var child: ChildProgram
  private let apiToken: String
  private let userToken: String

  static let container = "contrail.local"
  /// How long it may take to start before a test gives up.
  private static let patience = Duration.seconds(60)

  init() throws {
    folder = TemporaryFolder()
    let certificate = folder.path("server.pem")
    try Self.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
      folder.path("key.pem"), "-out", certificate,
    ])
    child = try Self.serve(folder, at: "127.0.0.1:0")
    url = try Self.started(folder)
    let told = try String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
    apiToken = try Self.word(after: "API token", in: told, having: "development")
    userToken = try Self.run([
      ChildProgram.beside("recordd"), "user", "token", "owner", "--container", Self.container,
      "--data", folder.path("data"),
    ]).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Where the server is, for a device of its user.
  func target(zone: String? = nil, credentials: SyncCredentials? = nil) -> SyncTarget {
    .recordServer(
      url, container: Self.container, environment: .development, zone: zone,
      credentials: credentials ?? .tokens(api: apiToken, user: userToken),
      trusting: folder.url.appending(path: "server.pem"))
  }

  /// The tokens in a file, as `syncctl` and a program read it.
  func credentialsFile() throws -> String {
    let path = folder.path("credentials")
    let text = "# for tests\nCONTRAIL_API_TOKEN=\(apiToken)\nCONTRAIL_USER_TOKEN=\(userToken)\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  /// What lets a verb of the tool reach this server as its user.
  func access() throws -> [String] {
    ["--credentials", try credentialsFile(), "--ca-file", folder.path("server.pem")]
  }

  /// Ends it at once, as a power cut would.
  func end() {
    child.kill()
    child.wait()
  }

  /// Starts it again where it was, with what it had.
  func begin() throws {
    child = try Self.serve(folder, at: url.replacing("https://", with: ""))
    _ = try Self.started(folder)
  }

  /// Starts the program with a log of its own in a file: nobody would read it from a pipe.
  private static func serve(_ folder: TemporaryFolder, at address: String) throws -> ChildProgram {
    try? FileManager.default.removeItem(atPath: folder.path("log"))
    let serve = """
      exec "$0" serve --data data --listen "$1" --tls-certificate server.pem --tls-key key.pem \
      >>out 2>log
      """
    return try ChildProgram(
      ["/bin/sh", "-c", serve, ChildProgram.beside("recordd"), address], in: folder.url.path,
      output: .nowhere, error: .nowhere)
  }

  private static func started(_ folder: TemporaryFolder) throws -> String {
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
      let log = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
      if log.contains("started"), log.hasSuffix("\n") {
        return try word(after: "url=", in: log, having: "started")
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    throw Failure(text: "recordd did not start")
  }

  /// The word that follows a text in the line that has another.
  private static func word(after text: String, in all: String, having other: String) throws
    -> String
  {
    for line in all.split(separator: "\n") where line.contains(other) {
      guard let found = line.range(of: text) else { continue }
      let rest = line[found.upperBound...].drop { $0 == " " }
      return String(rest.prefix { $0 != " " }).replacing("\"", with: "")
    }
    throw Failure(text: "no \(text) in \(all)")
  }

  @discardableResult
  private static func run(_ command: [String]) throws -> String {
    let run = try ChildProgram.run(command)
    guard run.end == .code(0) else { throw Failure(text: "\(command): \(run.text)") }
    return run.text
  }

  struct Failure: Error { var text: String }
}

/// A folder that goes when nobody holds it.
final class TemporaryFolder {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { url.appending(path: name).path }

  deinit { try? FileManager.default.removeItem(at: url) }
}
