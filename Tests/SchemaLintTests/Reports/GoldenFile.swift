import Foundation
import Testing

/// A file of the checkout that must hold exactly what the code makes.
struct GoldenFile {
  /// Its path in the checkout.
  let path: String
  /// The command that writes it again.
  let command: String

  private var url: URL { FixtureFiles.repository.appending(path: path) }

  /// Compares the file with `text`, or writes it when asked to by `UPDATE=1`.
  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    if ProcessInfo.processInfo.environment["UPDATE"] == "1" {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let committed = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
    #expect(
      committed == text, "\(path) is not what the code makes; write it again with: \(command)",
      sourceLocation: sourceLocation)
  }
}
