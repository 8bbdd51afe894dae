import Foundation

/// The checkout that these tests were built from.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every Swift file under `folder`, ordered by path.
  static func swiftFiles(under folder: String) throws -> [SourceFile] {
    let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return try (paths?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".swift") }
      .sorted()
      .map { try file("\(folder)/\($0)") }
  }

  /// The Swift file at `path`.
  static func file(_ path: String) throws -> SourceFile {
    let url = root.appendingPathComponent(path)
    return SourceFile(path: path, text: try String(contentsOf: url, encoding: .utf8))
  }

  /// The folders that stand directly in `folder`; none when `folder` does not exist.
  static func folders(in folder: String) -> Set<String> {
    let url = root.appendingPathComponent(folder)
    let entries = try? FileManager.default.contentsOfDirectory(
      at: url, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    return Set((entries ?? []).filter(\.hasDirectoryPath).map(\.lastPathComponent))
  }
}
