import DataModel
import Foundation
import SchemaFormats

/// The files that tests of the lint read.
enum FixtureFiles {
  /// The checkout.
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What stands in a folder, sorted, without hidden files.
  static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The lines that say something.
  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  private typealias Reader =
    @Sendable (URL, _ file: String, _ label: String) throws -> SchemaDocument

  /// How a schema is read, by its file's extension.
  private static let readers: [String: Reader] = [
    "xcdatamodel": { url, file, label in
      try XCDataModel.document(
        contents: bytes(url.appending(path: "contents")), file: file, label: label)
    },
    "ckdb": { url, file, label in try CKDB.read(bytes(url), file: file, label: label) },
    "json": { url, file, label in try ContrailJSON.read(bytes(url), file: file, label: label) },
  ]

  /// The schema at `url`; it is labelled by the file's name without its extension.
  static func document(_ url: URL) throws -> SchemaDocument {
    guard let read = readers[url.pathExtension] else {
      throw FixtureProblem("nothing reads \(url.lastPathComponent)")
    }
    let label = url.deletingPathExtension().lastPathComponent
    return try read(url, url.lastPathComponent, label)
  }

  private static func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
}
