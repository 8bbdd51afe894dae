import SwiftSyntaxBuilder
import Testing

@testable import MacroExpansions

@Suite struct ModelExpansionTests {
  @Test func `a class gets storage, a way to be read, its metadata and its defaults`() {
    let expansion = Expansion.ofModel(
      """
      @Model final class Trip {
        var name: String
        var count = 0
        init(name: String) {
          self.name = name
        }
      }
      """)
    print(expansion.text)
    print(expansion.diagnostics)
  }
}

extension Expansion {
  /// Expands everything that `@Model` reads and writes in classes without models above them.
  static func ofModel(_ source: String) -> Expansion {
    Expansion(
      of: source, macros: modelMacros,
      conformances: ["Contrail.PersistentModel", "Swift.Sendable"])
  }

  static let modelMacros = [
    "Model": "ModelMacro", "Attribute": "AttributeMacro",
    "Relationship": "RelationshipMacro", "Transient": "TransientMacro", "Unique": "UniqueMacro",
    "Index": "IndexMacro", "_PersistedProperty": "PersistedPropertyMacro",
    "_PersistedInitialValue": "PersistedInitialValueMacro", "ModelActor": "ModelActorMacro",
  ].compactMapValues { MacroTable.rows[$0] }
}
