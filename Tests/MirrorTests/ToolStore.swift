import ChildPrograms
import Contrail
import Testing

/// A store that the tool alone keeps in sync, with the demo's first schema, in the folder of a server.
struct ToolStore {
  let name: String
  let daemon: RecordDaemon

  private static let root = URL(filePath: #filePath).appending(path: "../../..")
    .standardizedFileURL.path

  init(_ name: String, _ daemon: RecordDaemon) throws {
    self.name = name
    self.daemon = daemon
    let model = "\(Self.root)/Schemas/demo/FlightLog.xcdatamodeld/FlightLog.xcdatamodel"
    let made = try tool(
      "init", "--schema", model, "--server", daemon.url, "--container", RecordDaemon.container,
      "--environment", "development")
    #expect(made.end == .code(0), "\(made.text)")
  }

  /// Runs a verb on the store that asks no server.
  func tool(_ verb: String, _ words: String...) throws -> (end: ChildProgram.End, text: String) {
    try run("syncctl", [verb, name] + words)
  }

  /// Runs a verb on the store that asks a server.
  func tool(
    _ verb: String, at server: RecordDaemon, _ words: String...
  ) throws -> (end: ChildProgram.End, text: String) {
    try run("syncctl", [verb, name] + words + server.access())
  }

  /// Changes objects as a program would; returns what that prints.
  @discardableResult
  func edit(_ words: String...) throws -> String {
    let run = try run("store-editor", [name] + words)
    #expect(run.end == .code(0), "\(run.text)")
    return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func run(
    _ program: String, _ words: [String]
  ) throws -> (end: ChildProgram.End, text: String) {
    try ChildProgram.run([ChildProgram.beside(program)] + words, in: daemon.folder.url.path)
  }

  /// What `failed` lists as JSON, with some words after it.
  func failures(_ words: String...) throws -> [FailedRow] {
    let listed = try run("syncctl", ["failed", name] + words)
    let tree = try JSONSerialization.jsonObject(with: Data(listed.text.utf8)) as? [String: Any]
    let rows = try #require(tree?["failed"] as? [[String: Any]])
    return rows.map { FailedRow($0) }
  }

  /// What a JSON Schema of Schemas/json finds wrong with a text; empty for nothing, or where nobody can say.
  func problems(in text: String, _ schema: String) throws -> String {
    let file = daemon.folder.path("printed.json")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let run = try ChildProgram.run([
      "\(Self.root)/Tests/Commands/validate-json", "\(Self.root)/Schemas/json/\(schema).json", file,
    ])
    // 3 and 127: this machine has not what it takes.
    return [.code(0), .code(3), .code(127)].contains(run.end) ? "" : run.text
  }
}

/// A failed change as the tool tells it.
struct FailedRow: Equatable {
  var recordName: String
  var object: String?
  var kind: String?
  var notes: String?

  init(_ row: [String: Any]) {
    recordName = row["recordName"] as? String ?? ""
    object = row["object"] as? String
    kind = row["kind"] as? String
    let fields = row["fields"] as? [String: Any]
    notes = (fields?["notes"] as? [String: Any])?["value"] as? String
  }
}

/// The tool while it watches: what it says is in files.
final class Watcher {
  private let folder: TemporaryFolder
  private let child: ChildProgram
  private var hasEnded = false

  /// How long something may take before a test gives up.
  private static let patience = Duration.seconds(60)

  init(_ store: ToolStore) throws {
    folder = store.daemon.folder
    let call =
      try [ChildProgram.beside("syncctl"), "sync", store.name, "--watch"] + store.daemon.access()
    child = try ChildProgram(
      ["/bin/sh", "-c", "\"$0\" \"$@\" >said 2>errors & echo $! >pid; wait $!"] + call,
      in: folder.url.path, output: .nowhere, error: .nowhere)
  }

  /// What it has said so far on standard error.
  var errors: String { text(of: "errors") }

  private func text(of file: String) -> String {
    (try? String(contentsOfFile: folder.path(file), encoding: .utf8)) ?? ""
  }

  /// Waits until it has said a text, on standard output or error.
  func wait(for text: String) throws {
    let end = ContinuousClock.now + Self.patience
    while ContinuousClock.now < end {
      if (self.text(of: "said") + errors).contains(text) { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw RecordDaemon.Failure(text: "nothing was said of \(text): \(errors)")
  }

  /// Ends it as a service manager does; returns how it ended.
  func end() throws -> ChildProgram.End {
    try signal("TERM")
    hasEnded = true
    return child.wait()
  }

  private func signal(_ name: String) throws {
    _ = try ChildProgram.run(["/bin/sh", "-c", "kill -\(name) $(cat pid)"], in: folder.url.path)
  }

  deinit {
    // The shell around it, which a failed test leaves, would not take it along.
    if !hasEnded { try? signal("KILL") }
  }
}
