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
    let lines = try Self.readme("$ cd Schemas/demo")
    let command = try #require(lines.first).dropFirst(2)
    let printed = try Transcript("$ \(command)\n").rerun(in: Self.root, tools: Self.products).text
    let shown = lines.filter { !$0.hasPrefix("$") && !["", "…", "1"].contains($0) }
    #expect(shown.count > 8)
    for line in shown { #expect(printed.contains(line + "\n")) }
  }

  @Test func `README shows what a store looks like`() throws {
    let lines = try Self.readme("$ syncctl show log.sqlite")
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "transcript-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let shown = Transcript(lines.joined(separator: "\n") + "\n")
    let made = try Transcript("$ store-maker log sqlite log.sqlite\n")
      .rerun(in: scratch, tools: Self.products)
    #expect(made.steps.map(\.output) == [""])
    #expect(try shown.rerun(in: scratch, tools: Self.products).text == shown.text)
    #expect(shown.steps.count > 2)
  }

  @Test func `README shows steps of the guided tour as the tour prints them`() throws {
    let tour = try String(
      contentsOf: Self.root.appending(path: "Tests/Demo/expected.txt"), encoding: .utf8)
    let printed = Set(Self.steps(of: tour.components(separatedBy: "\n")))
    let shown = Self.steps(of: try Self.readme("6. "))
    #expect(shown.count > 8)
    for step in shown {
      #expect(printed.contains(step), "Tests/Demo/expected.txt has another step")
    }
  }

  /// What stands between the numbered headings of a tour, each with its heading.
  private static func steps(of lines: [String]) -> [String] {
    lines.reduce(into: [String]()) { steps, line in
      if line.wholeMatch(of: /\d+\. .*/) != nil {
        steps.append(line)
      } else if let last = steps.popLast() {
        steps.append(last + "\n" + line)
      }
    }
    .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  private static let root = folder.appending(path: "../../..").standardizedFileURL

  /// The lines of the block of README that begins so.
  private static func readme(_ start: String) throws -> [String] {
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let block = readme.components(separatedBy: "```\n").first { $0.hasPrefix(start) }
    return try #require(block).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
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
  static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
}
