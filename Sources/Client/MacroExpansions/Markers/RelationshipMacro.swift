import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Expands `@Relationship`, which `@Model` reads, to nothing.
struct RelationshipMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let problems = MarkerPlace(node, on: declaration, in: context).problems { property in
      [
        property.contradiction(with: [.transient]), property.uniqueMany, counts(node),
        value(property), property.originalName,
      ]
    }
    for problem in problems { context.diagnose(problem) }
    return []
  }

  private static func counts(_ node: AttributeSyntax) -> Diagnostic? {
    let least = node.argument("minimumModelCount")?.expression
    let most = node.argument("maximumModelCount")?.expression
    if let negative = [least, most].compactMap({ $0 }).first(where: { $0.integer ?? 0 < 0 }) {
      return MacroProblem.negativeCount.found(at: negative)
    }
    // A maximum of 0 is none.
    guard let least, let from = least.integer, let to = most?.integer, to > 0, from > to else {
      return nil
    }
    return MacroProblem.countsCrossed(from, to).found(at: least)
  }

  /// A relationship to something that is certainly no model.
  private static func value(_ property: MarkedProperty) -> Diagnostic? {
    guard let type = property.type, values.contains(type.relatedType.lastName) else { return nil }
    return MacroProblem.valueRelationship(type.relatedType.description).found(
      at: type, fix: .remove(property.marker))
  }

  private static let values: Set<String> = [
    "Bool", "Character", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32",
    "Int64", "Int8", "String", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
  ]
}

extension ExprSyntax {
  /// The number that the expression is, if it is written out.
  var integer: Int? { Int(trimmedDescription.filter { $0 != "_" }) }
}
