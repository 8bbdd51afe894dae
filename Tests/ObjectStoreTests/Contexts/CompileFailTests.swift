import ChildPrograms
import Foundation
import Testing

/// Programs that the compiler must refuse: `Tests/Fixtures/compile-fail`, each against the built modules.
///
/// A comment `// error: TEXT` says that the compiler reports an error with that text for the line that
/// follows; other errors there must be none.
@Suite struct CompileFailTests {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let folder = root.appendingPathComponent("Tests/Fixtures/compile-fail")
  static let fixtures: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted()
  }()

  /// The folder of the built modules: beside the test bundle that is running.
  static let modules: String? = CommandLine.arguments.map { argument in
    URL(fileURLWithPath: argument).deletingLastPathComponent().appendingPathComponent("Modules")
      .path
  }.first { FileManager.default.fileExists(atPath: $0 + "/ObjectStore.swiftmodule") }

  @Test(arguments: CompileFailTests.fixtures)
  func `is refused where it says so`(fixture: String) throws {
    let path = Self.folder.appendingPathComponent(fixture).path
    let expected = Self.expected(try String(contentsOfFile: path, encoding: .utf8))
    let found = try Self.compile(path)
    let missing = expected.filter { wanted in
      !found.contains { $0.line == wanted.line && $0.text.contains(wanted.text) }
    }
    let unexpected = found.filter { error in
      !expected.contains { $0.line == error.line && error.text.contains($0.text) }
    }
    #expect(missing.map(\.shown) == [])
    #expect(unexpected.map(\.shown) == [])
    #expect(expected.isEmpty == (fixture == "allowed.swift"))
  }

  @Test func `there are fixtures`() { #expect(Self.fixtures.count >= 8) }

  struct Diagnostic: Hashable {
    var line: Int
    var text: String
    var shown: String { "\(line): \(text)" }
  }

  private static func expected(_ source: String) -> [Diagnostic] {
    source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      guard let comment = line.range(of: "// error: ") else { return nil }
      return Diagnostic(line: index + 2, text: String(line[comment.upperBound...]))
    }
  }

  /// The errors that the compiler reports, data races included, which it finds last.
  private static func compile(_ path: String) throws -> Set<Diagnostic> {
    let run = try ChildProgram.run([
      "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", try #require(modules),
      "-Xcc", "-fmodule-map-file=\(root.path)/Sources/System/CSQLite/module.modulemap", path,
    ])
    var found: Set<Diagnostic> = []
    for line in run.text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 4).map(String.init)
      guard parts.count == 5, parts[3] == " error" else { continue }
      found.insert(Diagnostic(line: Int(parts[1]) ?? 0, text: parts[4]))
    }
    // Without an error that has a place the compiler failed for another reason.
    if found.isEmpty && run.end != .code(0) {
      found.insert(Diagnostic(line: 0, text: run.text))
    }
    return found
  }
}
