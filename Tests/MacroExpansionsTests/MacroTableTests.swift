import Foundation
import Testing

@testable import MacroExpansions

@Suite struct MacroTableTests {
  @Test func `every macro that Contrail declares has a row, and every row is declared`() throws {
    let folder = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Sources/Client/Contrail").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.map(folder.appendingPathComponent)
    let declared = try files.flatMap { file in
      try String(contentsOf: file, encoding: .utf8)
        .matches(of: /#externalMacro\(\s*module: "ModelMacros",\s*type: "(\w+)"/)
        .map { String($0.1) }
    }
    #expect(Set(declared) == Set(MacroTable.rows.keys))
  }

  @Test func `the compiler is given the macro that it asks for by name`() throws {
    let macro = try MacroTable.macro("RecordNameMacro", of: "ModelMacros")
    #expect(ObjectIdentifier(macro) == ObjectIdentifier(RecordNameMacro.self))
  }

  @Test func `an unknown macro is an error that says where its row belongs`() {
    let error = #expect(throws: UnknownMacro.self) {
      try MacroTable.macro("NoSuchMacro", of: "ModelMacros")
    }
    #expect(
      error?.description
        == "no macro ModelMacros.NoSuchMacro in the table of macros; add a row to MacroTable.rows")
  }
}
