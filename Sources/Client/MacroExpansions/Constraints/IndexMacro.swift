import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `#Index`, which `@Model` reads, to nothing.
struct IndexMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    ConstraintChecks.place(node, in: context)
    return []
  }
}
