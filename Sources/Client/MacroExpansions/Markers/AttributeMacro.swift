import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `@Attribute`, which `@Model` reads, to nothing.
struct AttributeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let problems = MarkerPlace(node, on: declaration, in: context).problems { property in
      [
        property.contradiction(with: [.relationship, .transient]), property.uniqueMany,
        codedTwice(node), property.originalName,
      ]
    }
    for problem in problems { context.diagnose(problem) }
    return []
  }

  private static func codedTwice(_ node: AttributeSyntax) -> Diagnostic? {
    let ways = node.optionArguments.filter { PropertyCoding.rows[$0.name] != nil }
    return ways.dropFirst().first.map { MacroProblem.codedTwice.found(at: $0.expression) }
  }
}
