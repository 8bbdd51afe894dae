import Foundation

/// The checkout that these tests were built from.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every Swift file under `Sources`, parsed once for all tests.
  static let sources = Result {
    try swiftFiles(under: "Sources").map { SourceFile(path: $0, text: try text(of: $0)) }
  }

  /// The files of one module.
  static func sources(of row: ModuleRow) throws -> [SourceFile] {
    try sources.get().filter { $0.path.hasPrefix(row.path + "/") }
  }

  /// The paths of the Swift files under `folder`, in order.
  static func swiftFiles(under folder: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (paths?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".swift") }
      .sorted()
      .map { "\(folder)/\($0)" }
  }

  /// The text of the file at `path`.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The folders that stand directly in `folder`; none when `folder` does not exist.
  static func folders(in folder: String) -> Set<String> {
    let url = root.appendingPathComponent(folder)
    let entries = try? FileManager.default.contentsOfDirectory(
      at: url, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    return Set((entries ?? []).filter(\.hasDirectoryPath).map(\.lastPathComponent))
  }
}
