import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `@Relationship`, which `@Model` reads, to nothing.
struct RelationshipMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
