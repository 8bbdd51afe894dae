import DataModel
import Foundation
import Testing

@testable import SchemaFormats

/// Models that apps published; `CONTRAIL_CORPUS` names the folder that holds them in `xcdatamodels`.
private let corpus = ProcessInfo.processInfo.environment["CONTRAIL_CORPUS"]
  .map { URL(fileURLWithPath: $0).appendingPathComponent("xcdatamodels") }

@Suite(.enabled(if: corpus != nil, "set CONTRAIL_CORPUS to a folder of published schemas"))
struct `Published Core Data models in other formats` {
  @Test func `mean the same as Contrail JSON`() throws {
    for (path, schema) in try allSchemas() {
      let json = try ContrailJSON.text(of: schema)
      #expect(
        try ContrailJSON.read(Array(json.utf8), file: "", label: "").content == .objects(schema),
        "\(path)")
    }
  }

  @Test(arguments: MappingProfile.allCases)
  func `map to records that every format can say`(profile: MappingProfile) throws {
    for (path, schema) in try allSchemas() {
      let records = schema.mapped(profile).schema
      let text = try CKDB.text(of: records)
      #expect(
        try CKDB.read(Array(text.utf8), file: "", label: "").content == .records(records), "\(path)"
      )
    }
  }

  private func allSchemas() throws -> [(path: String, schema: Schema)] {
    guard let corpus,
      let files = FileManager.default.enumerator(at: corpus, includingPropertiesForKeys: nil)
    else { return [] }
    var schemas: [(String, Schema)] = []
    for case let file as URL in files where file.lastPathComponent == "contents" {
      let bytes = Array(try Data(contentsOf: file))
      let document = try XCDataModel.document(contents: bytes, file: file.path, label: "")
      if case .objects(let schema) = document.content { schemas.append((file.path, schema)) }
    }
    #expect(!schemas.isEmpty)
    return schemas
  }
}
