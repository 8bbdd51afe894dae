import DataModel
import Foundation
import SchemaFormats

/// Checks that a file says what the schema of model classes is, so that it can be linted and reviewed; for
/// users' own tests.
///
/// ```swift
/// @Test func schemaFile() throws {
///   try assertSchema(Schema([Trip.self]), isIn: "Schema.json")
/// }
/// ```
///
/// Where the file is not there, or says something else, it is written anew, and the test fails once, with the
/// changes: look at them, `syncctl lint Schema.json --profile contrail --against promoted/`, and commit it.
///
/// - Parameters:
///   - schema: The schema of model classes.
///   - path: The file; where it does not begin with a slash, it is looked for from the folder on that has the
///     test's package.
///   - source: The test's own file.
/// - Throws: `SchemaAssertionFailure` that says what has changed.
public func assertSchema(
  _ schema: Schema, isIn path: String, source: String = #filePath
) throws {
  let url = SchemaFile.url(path, source)
  let text = try schema.text()
  guard let kept = try? String(contentsOf: url, encoding: .utf8) else {
    try schema.save(to: url)
    throw SchemaAssertionFailure(path, expected: "a file", found: "none: it was written now")
  }
  if kept == text { return }
  try schema.save(to: url)
  throw SchemaAssertionFailure(
    path, expected: "what the models say",
    found: SchemaFile.changes(kept, schema) + ": it was written anew")
}

enum SchemaFile {
  /// How many changes a failure names.
  private static let changesMax = 10

  /// A path of a test's package.
  static func url(_ path: String, _ source: String) -> URL {
    if path.hasPrefix("/") { return URL(fileURLWithPath: path) }
    var folder = URL(fileURLWithPath: source).deletingLastPathComponent()
    while folder.path.count > 1 {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        return folder.appending(path: path)
      }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: path)
  }

  /// What was changed since a file was written, in words.
  static func changes(_ kept: String, _ schema: Schema) -> String {
    guard let old = try? Schema(Array(kept.utf8), file: "schema") else {
      return "what is no schema"
    }
    let changes = diff(old.stored, schema.stored).map(\.description)
    if changes.isEmpty { return "the same in other words" }
    let named = changes.prefix(changesMax).joined(separator: "; ")
    let more = changes.count - changesMax
    return "changes (\(named)\(more > 0 ? "; and \(more) more" : ""))"
  }
}
