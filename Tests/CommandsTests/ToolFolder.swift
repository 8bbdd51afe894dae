import ChildPrograms
import Foundation
import Testing

/// A folder of its own, in which commands find the package's programs.
final class ToolFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Runs a line of shell; what it prints has its errors in it.
  func run(_ command: String) throws -> (end: ChildProgram.End, text: String) {
    var environment = ProcessInfo.processInfo.environment
    let others = environment["PATH"] ?? "/usr/bin:/bin"
    environment["PATH"] = "\(TranscriptTests.products.path):\(others)"
    return try ChildProgram.run(
      ["/bin/sh", "-c", command], in: url.path, environment: environment)
  }

  /// What a command prints that has to succeed.
  @discardableResult
  func output(
    _ command: String, _ location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try run(command)
    #expect(run.end == .code(0), "\(command): \(run.text)", sourceLocation: location)
    return run.text
  }

  /// What a JSON Schema of Schemas/json finds wrong with a text; empty for nothing.
  func problems(in text: String, _ schema: String) throws -> String {
    try write(text, to: "printed.json")
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
    let run = try run(
      "'\(root)/Tests/Commands/validate-json' '\(root)/Schemas/json/\(schema).json' printed.json")
    return run.end == .code(0) ? "" : run.text
  }

  /// Whether this machine has what holds JSON to its schemas.
  static let canValidate =
    (try? ChildProgram.run(["python3", "-c", "import jsonschema"]).end) == .code(0)
  /// Whether this machine has Python.
  static let hasPython = (try? ChildProgram.run(["python3", "--version"]).end) == .code(0)
}
