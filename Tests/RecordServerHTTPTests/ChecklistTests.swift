import Foundation
import Testing

/// The checklist in `Documentation` names tests and files that are there.
@Suite struct ChecklistTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The cells of the tables that have three columns, below their heads.
  private static func rows() throws -> [[String]] {
    let text = try String(
      contentsOf: root.appendingPathComponent("Documentation/protocol-checklist.md"),
      encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    return rows.filter { $0.count == 3 && $0[0] != "expectation" && !$0[0].hasPrefix("---") }
  }

  /// What stands between backticks.
  private static func names(in cell: String) -> [String] {
    let parts = cell.components(separatedBy: "`")
    return parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] }
  }

  /// Everything that is tested, as one text.
  private static func tests() throws -> String {
    let folder = root.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var text = ""
    while let file = files?.nextObject() as? URL {
      guard ["swift", "py"].contains(file.pathExtension),
        !file.path.hasSuffix("ChecklistTests.swift")
      else { continue }
      text += try String(contentsOf: file, encoding: .utf8)
    }
    return text
  }

  @Test func `every test that the checklist names is there, and every expectation has one`() throws
  {
    let rows = try Self.rows()
    let tests = try Self.tests()
    #expect(rows.count > 20)
    for row in rows {
      let names = Self.names(in: row[2])
      #expect(!names.isEmpty || row[1].hasPrefix("nothing to meet"), "\(row[0])")
      for name in names {
        #expect(
          tests.contains("func `\(name)`") || tests.contains("def \(name)(self)"), "\(name)")
      }
    }
  }

  @Test func `every file that the checklist names is there`() throws {
    for row in try Self.rows() {
      for name in Self.names(in: row[1]) where name.contains("/") {
        let path = Self.root.appendingPathComponent("Sources/\(name)").path
        #expect(FileManager.default.fileExists(atPath: path), "\(name)")
      }
    }
  }
}
