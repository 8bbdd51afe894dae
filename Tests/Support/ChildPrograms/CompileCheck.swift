package import Foundation

/// Programs that the compiler must refuse: Swift files, each compiled against the modules that are built.
///
/// A comment `// error: TEXT` says that the compiler reports an error with that text for the line that
/// follows; other errors there must be none.
package struct CompileCheck {
  /// The repository's folder.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The folder with what is built: that of the test bundle that is running.
  package static let products: URL? = CommandLine.arguments.map { argument in
    URL(fileURLWithPath: argument).deletingLastPathComponent()
  }.first { FileManager.default.fileExists(atPath: $0.path + "/Modules") }

  /// The names of the Swift files in a folder of `Tests/Fixtures`.
  package static func fixtures(_ folder: String) -> [String] {
    let path = root.appendingPathComponent("Tests/Fixtures/\(folder)").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted()
  }

  /// Errors that were announced and did not come, as "LINE: TEXT".
  package private(set) var missing: [String] = []
  /// Errors that came and were not announced.
  package private(set) var unexpected: [String] = []
  /// Whether no error was announced.
  package let expectsNone: Bool

  /// Compiles a file of a folder of `Tests/Fixtures`.
  package init(_ folder: String, _ name: String, flags: [String] = []) throws {
    let path = Self.root.appendingPathComponent("Tests/Fixtures/\(folder)/\(name)").path
    let expected = Self.announced(try String(contentsOfFile: path, encoding: .utf8))
    let found = try Self.compile(path, flags)
    expectsNone = expected.isEmpty
    missing = expected.filter { wanted in
      !found.contains { $0.line == wanted.line && $0.text.contains(wanted.text) }
    }.map(\.shown)
    unexpected = found.filter { error in
      !expected.contains { $0.line == error.line && error.text.contains($0.text) }
    }.map(\.shown).sorted()
  }

  private struct Diagnostic: Hashable {
    var line: Int
    var text: String
    var shown: String { "\(line): \(text)" }
  }

  private static func announced(_ source: String) -> [Diagnostic] {
    source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      guard let comment = line.range(of: "// error: ") else { return nil }
      return Diagnostic(line: index + 2, text: String(line[comment.upperBound...]))
    }
  }

  /// The C libraries that modules of the package may be built on.
  private static var moduleMaps: [String] {
    let folder = "\(root.path)/Sources/System"
    let libraries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return libraries.sorted().flatMap { library in
      ["-Xcc", "-fmodule-map-file=\(folder)/\(library)/module.modulemap"]
    }
  }

  /// The errors that the compiler reports, data races included, which it finds last.
  private static func compile(_ path: String, _ flags: [String]) throws -> Set<Diagnostic> {
    let run = try ChildProgram.run(
      [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I",
        (products?.path ?? "") + "/Modules",
      ] + moduleMaps + flags + [path])
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
