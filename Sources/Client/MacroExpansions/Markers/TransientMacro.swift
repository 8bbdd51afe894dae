import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `@Transient`, which `@Model` reads, to nothing.
struct TransientMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = MarkedProperty(node, on: declaration, in: context),
      let binding = property.binding, binding.initializer == nil,
      property.type?.isWrittenOptional == false, !property.hasWrapper
    else { return [] }
    context.diagnose(
      MacroProblem.transientWithoutDefault(property.name).found(
        at: binding.pattern, fix: .addDefault(to: binding)))
    return []
  }
}
