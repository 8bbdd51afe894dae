import SwiftSyntaxBuilder
import Testing

@testable import MacroExpansions

@Suite struct ModelActorExpansionTests {
  @Test func `an actor gets an executor, a container and an initializer`() {
    let expansion = Expansion(
      of: "@ModelActor public actor Importer {\n}", macros: ["ModelActor": ModelActorMacro.self],
      conformances: ["ModelActor"])
    #expect(expansion.diagnostics == [])
    #expect(
      expansion.text == #"""
        public actor Importer {

          public nonisolated let modelExecutor: any Contrail.ModelExecutor

          public nonisolated let modelContainer: Contrail.ModelContainer

          public init(modelContainer: Contrail.ModelContainer) {
            let modelContext = Contrail.ModelContext(modelContainer)
            self.modelExecutor = Contrail.DefaultSerialModelExecutor(modelContext: modelContext)
            self.modelContainer = modelContainer
          }
        }

        extension Importer: Contrail.ModelActor {
        }
        """#)
  }

  @Test func `an initializer that the actor has is not written again`() {
    let expansion = Expansion(
      of: "@ModelActor actor Importer {\n  init(modelContainer: ModelContainer) {\n  }\n}",
      macros: ["ModelActor": ModelActorMacro.self], conformances: ["ModelActor"])
    #expect(!expansion.text.contains("DefaultSerialModelExecutor"))
  }

  @Test(arguments: [
    ("class", "a class", ["fix: write 'actor' instead"]),
    ("struct", "a struct", ["fix: write 'actor' instead"]), ("enum", "an enumeration", []),
  ])
  func `anything but an actor is an error at its keyword`(
    keyword: String, kind: String, fixes: [String]
  ) {
    let expansion = Expansion(
      of: "@ModelActor \(keyword) Importer {}", macros: ["ModelActor": ModelActorMacro.self],
      conformances: ["ModelActor"])
    #expect(
      expansion.diagnostics
        == ["1:13: error: @ModelActor can only be attached to an actor, not to \(kind)"] + fixes)
    #expect(expansion.text == "\(keyword) Importer {}")
  }
}
