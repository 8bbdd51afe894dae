import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `@Transient`, which `@Model` reads, to nothing.
struct TransientMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let problems = MarkerPlace(node, on: declaration, in: context).problems { [noDefault($0)] }
    for problem in problems { context.diagnose(problem) }
    return []
  }

  private static func noDefault(_ property: MarkedProperty) -> Diagnostic? {
    guard let binding = property.binding, binding.initializer == nil,
      property.type?.isWrittenOptional == false, !property.hasWrapper
    else { return nil }
    return MacroProblem.transientWithoutDefault(property.name).found(
      at: binding.pattern, fix: .addDefault(to: binding))
  }
}
