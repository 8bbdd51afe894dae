import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

@testable import MacroExpansions

extension Expansion {
  /// Expands what `@Model` reads and writes, in classes that have no models above them.
  init(ofModel source: String, build: StaticBuildConfiguration = .swift6) {
    self.init(
      of: source, macros: Self.modelMacros,
      conformances: ["PersistentModel", "Hashable", "Sendable"],
      build: build)
  }

  /// Expands the same in classes whose superclass conforms already.
  init(ofSubclass source: String) { self.init(of: source, macros: Self.modelMacros) }

  /// Expands markers alone.
  ///
  /// Where `@Model` adds attributes too, the places of what is in the declarations are not those of the
  /// source: a limit of expanding outside the compiler.
  init(ofMarkers source: String) {
    self.init(of: source, macros: Self.modelMacros.filter { $0.value is any PeerMacro.Type })
  }

  private static var modelMacros: [String: any Macro.Type] {
    [
      "Attribute": AttributeMacro.self, "Index": IndexMacro.self, "Model": ModelMacro.self,
      "ModelActor": ModelActorMacro.self, "Relationship": RelationshipMacro.self,
      "Transient": TransientMacro.self, "Unique": UniqueMacro.self,
      "_PersistedInitialValue": PersistedInitialValueMacro.self,
      "_PersistedProperty": PersistedPropertyMacro.self,
      "_PersistedStart": PersistedStartMacro.self,
    ]
  }
}

extension Expansion {
  /// The member of the expanded text whose first line begins with `start`, to its closing brace, without the
  /// indentation that it has.
  func member(_ start: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { $0.drop(while: \.isWhitespace).hasPrefix(start) })
    else {
      return "no member begins with \(start)"
    }
    let indentation = lines[first].prefix(while: \.isWhitespace)
    let isOneLine = lines[first].last != "{"
    let last = isOneLine ? first : lines[first...].firstIndex { $0 == indentation + "}" } ?? first
    return lines[first...last].map { $0.dropFirst(indentation.count) }.joined(separator: "\n")
  }
}
