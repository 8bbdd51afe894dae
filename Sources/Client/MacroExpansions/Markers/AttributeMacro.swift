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
      ] + unknownOptions(property.marker)
    }
    for problem in problems { context.diagnose(problem) }
    return []
  }

  /// Options by names that `@Model` does not know: it chooses the accessors by the name, before there is a
  /// value, and the schema goes by the value.
  private static func unknownOptions(_ marker: AttributeSyntax) -> [Diagnostic] {
    // NB: not filtered first, which would make a list of nodes that have no place in the source.
    marker.labeledArguments.compactMap { argument in
      let option = argument.expression
      guard argument.label == nil, option.optionName.map(PropertyCoding.options.contains) != true
      else { return nil }
      return MacroProblem.unknownOption(option.trimmedDescription).found(at: option)
    }
  }

  private static func codedTwice(_ node: AttributeSyntax) -> Diagnostic? {
    let ways = node.optionArguments.filter { PropertyCoding.rows[$0.name] != nil }
    return ways.dropFirst().first.map { MacroProblem.codedTwice.found(at: $0.expression) }
  }
}
