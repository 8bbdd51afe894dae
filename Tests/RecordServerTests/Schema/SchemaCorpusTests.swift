import DataModel
import Foundation
import RecordServer
import Testing

/// Schemas that apps published; `CONTRAIL_CORPUS` names the folder that holds them in `ckdb`.
private let corpus = ProcessInfo.processInfo.environment["CONTRAIL_CORPUS"]
  .map { URL(fileURLWithPath: $0).appendingPathComponent("ckdb") }

@Suite(.enabled(if: corpus != nil, "set CONTRAIL_CORPUS to a folder of published schemas"))
struct `Published ckdb files on the server` {
  @Test func `are imported, promoted, exported and imported again`() throws {
    for file in try allFiles() {
      let name: Comment = "\(file.lastPathComponent)"
      let bytes = Array(try Data(contentsOf: file))
      let imported = ContainerSchema().importing(bytes, file: file.lastPathComponent, by: .test)
      #expect(imported.plan.refusals == [], name)
      let promoted = imported.schema.promoting(by: .test)
      #expect(promoted.plan.refusals == [], name)
      let container = promoted.schema
      #expect(container.production == container.development, name)
      #expect(container.promoting(by: .test).schema == container, name)
      let text = try container.exported(.production)
      #expect(
        container.importing(Array(text.utf8), file: "export", by: .test).schema == container, name)
      #expect(try ContainerSchema(stored: container.stored()) == container, name)
    }
  }

  @Test func `of one app grow from its promoted version to the next`() throws {
    let files = try allFiles()
    let old = try #require(files.first { $0.path.contains("schema-prod-baseline") })
    let new = try #require(files.first { $0.path.hasSuffix("moolah-native__CloudKit_schema.ckdb") })
    let base = try ContainerSchema()
      .importing(Array(Data(contentsOf: old)), file: "old", by: .test).changed()
      .promoting(by: .test).changed()
    let grown = base.importing(Array(try Data(contentsOf: new)), file: "new", by: .test)
    #expect(grown.plan.refusals == [])
    let promoted = grown.schema.promoting(by: .test)
    #expect(promoted.plan.refusals == [] && promoted.isChanged)
    let back = promoted.schema.importing(
      Array(try Data(contentsOf: old)), file: "old", by: .test)
    #expect(!back.plan.refusals.isEmpty)
    #expect(back.schema == promoted.schema)
  }

  private func allFiles() throws -> [URL] {
    guard let corpus else { return [] }
    return try FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "ckdb" }.sorted { $0.path < $1.path }
  }
}
