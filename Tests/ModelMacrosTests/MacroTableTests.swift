import Foundation
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import Testing

@testable import ModelMacros

@Suite struct MacroTableTests {
  @Test func `every macro that Contrail declares has a row, and every row is declared`() throws {
    let folder = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Sources/Client/Contrail").standardized
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let declared = try files.flatMap { file in
      try String(contentsOf: file, encoding: .utf8)
        .matches(of: /#externalMacro\(\s*module: "ModelMacros",\s*type: "(\w+)"/)
        .map { String($0.1) }
    }
    #expect(Set(declared) == Set(MacroTable.rows.keys))
  }

  @Test func `the compiler is given the macro that it asks for by name`() throws {
    let macro = try Macros().resolveMacro(moduleName: "ModelMacros", typeName: "RecordNameMacro")
    #expect(ObjectIdentifier(macro) == ObjectIdentifier(RecordNameMacro.self))
  }

  @Test func `an unknown macro is an error that says where its row belongs`() {
    let error = #expect(throws: UnknownMacro.self) {
      try Macros().resolveMacro(moduleName: "ModelMacros", typeName: "NoSuchMacro")
    }
    #expect(
      error?.description
        == "no macro ModelMacros.NoSuchMacro in the table of macros; add a row to MacroTable.rows")
  }
}
