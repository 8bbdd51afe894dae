import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `#Unique`, which `@Model` reads, to nothing.
struct UniqueMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    ConstraintChecks.place(node, in: context)
    return []
  }
}
