import Foundation
import Testing

@testable import SchemaFormats

/// Schemas that apps published; `CONTRAIL_CORPUS` names the folder that holds them in `ckdb`.
private let corpus = ProcessInfo.processInfo.environment["CONTRAIL_CORPUS"]
  .map { URL(fileURLWithPath: $0).appendingPathComponent("ckdb") }

@Suite(.enabled(if: corpus != nil, "set CONTRAIL_CORPUS to a folder of published schemas"))
struct `Published ckdb files` {
  @Test func `are all read, and read back the same from what is written`() throws {
    let files = try allFiles()
    #expect(!files.isEmpty)
    for file in files {
      let schema = try CKDB.read(Array(Data(contentsOf: file)), file: file.path, label: "")
      guard case .records(let records) = schema.content else { continue }
      let text = try CKDB.text(of: records)
      #expect(
        try CKDB.read(Array(text.utf8), file: "", label: "").content == schema.content,
        "\(file.lastPathComponent)")
    }
  }

  @Test func `mean the same as Contrail JSON`() throws {
    for file in try allFiles() {
      let schema = try CKDB.read(Array(Data(contentsOf: file)), file: file.path, label: "")
      let json = try ContrailJSON.text(of: schema.content)
      #expect(
        try ContrailJSON.read(Array(json.utf8), file: "", label: "").content == schema.content,
        "\(file.lastPathComponent)")
    }
  }

  @Test(arguments: [
    ("moolah-native__CloudKit_schema-prod-baseline", ""), ("Hexfall__cloudkit_schema", ""),
    // This one was saved with an empty line after its last statement.
    ("Dispatch__CloudKit_schema", "\n"),
  ])
  func `that CloudKit exported are written back byte for byte`(name: String, ending: String) throws
  {
    let file = try #require(try allFiles().first { $0.path.hasSuffix("\(name).ckdb") })
    let bytes = try Data(contentsOf: file)
    let schema = try CKDB.read(Array(bytes), file: file.path, label: name)
    guard case .records(let records) = schema.content else { return }
    #expect(try Data((CKDB.text(of: records) + ending).utf8) == bytes)
  }

  private func allFiles() throws -> [URL] {
    guard let corpus else { return [] }
    return try FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "ckdb" }.sorted { $0.path < $1.path }
  }
}
