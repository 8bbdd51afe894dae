import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `@Attribute`, which `@Model` reads, to nothing.
struct AttributeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
