import Foundation
import Testing

/// The commands' outputs, whole, as users see them.
@Suite struct TranscriptTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Transcripts")

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted()
  }

  @Test(arguments: try names())
  func `every command prints what its transcript shows`(_ name: String) throws {
    let file = Self.folder.appending(path: name)
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "transcript-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    try linkDemo(into: scratch)
    let now = try Transcript(recorded).rerun(in: scratch, tools: Self.products).text
    if ProcessInfo.processInfo.environment["UPDATE"] == "1" {
      try Data(now.utf8).write(to: file)
    } else {
      #expect(now == recorded, "UPDATE=1 swift test --filter TranscriptTests rewrites \(name)")
    }
  }

  @Test func `README shows what the lint prints`() throws {
    let root = Self.folder.appending(path: "../../..").standardizedFileURL
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```\n")
    let block = try #require(blocks.first { $0.hasPrefix("$ cd Schemas/demo") })
    let lines = block.split(separator: "\n").map(String.init)
    let command = try #require(lines.first).dropFirst(2)
    let printed = try Transcript("$ \(command)\n").rerun(in: root, tools: Self.products).text
    let shown = lines.filter { !$0.hasPrefix("$") && $0 != "…" && $0 != "1" }
    #expect(shown.count > 8)
    for line in shown { #expect(printed.contains(line + "\n")) }
  }

  @Test func `there are transcripts`() throws {
    #expect(try !Self.names().isEmpty)
  }

  /// The demo's schemas stand in each transcript's folder as `demo`.
  private func linkDemo(into scratch: URL) throws {
    let demo = Self.folder.appending(path: "../../../Schemas/demo").standardizedFileURL
    try FileManager.default.createSymbolicLink(
      at: scratch.appending(path: "demo"), withDestinationURL: demo)
  }

  /// Where the package's programs were built: beside the test program.
  private static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
}
