import Foundation
import DataModel
import SchemaFormats
import SchemaLint
import Testing

@Test(.enabled(if: ProcessInfo.processInfo.environment["CORPUS"] != nil))
func corpusCounts() throws {
  let root = URL(filePath: ProcessInfo.processInfo.environment["CORPUS"]!)
  var lines: [String] = []
  let e = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)!
  for case let url as URL in e {
    let doc: SchemaDocument
    if url.lastPathComponent == "contents" {
      doc = try XCDataModel.document(contents: [UInt8](Data(contentsOf: url)), file: url.path, label: "x")
    } else if url.pathExtension == "ckdb" {
      doc = try CKDB.read([UInt8](Data(contentsOf: url)), file: url.path, label: "x")
    } else { continue }
    for profile in LintProfile.allCases {
      for f in Linter(profile: profile).findings(in: doc) {
        lines.append("\(profile)\t\(f.rule)\t\(f.severity)\t\(url.path.dropFirst(root.path.count))\t\(f.location.position.line)\t\(f.message)")
      }
    }
  }
  try lines.joined(separator: "\n").write(toFile: "/tmp/rules-now-corpus.tsv", atomically: true, encoding: .utf8)
}
