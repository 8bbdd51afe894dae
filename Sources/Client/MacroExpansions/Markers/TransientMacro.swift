import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `@Transient`, which `@Model` reads, to nothing.
struct TransientMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
