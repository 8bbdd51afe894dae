import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Where a property stands: its class, and its rank in it.
struct PropertyPlace {
  /// The name as it is written.
  let name: TokenSyntax
  /// The rank.
  let rank: ExprSyntax
  /// The empty member that stands for the property in initializers; nil when the property starts by
  /// itself, or when all of the class does.
  let mark: TokenSyntax?
  let coding: PropertyCoding

  /// The place of `declaration`; nil where `@Model` did not write the attribute.
  init?(
    _ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) {
    guard let model = context.lexicalContext.first?.as(ClassDeclSyntax.self),
      let property = declaration.as(VariableDeclSyntax.self).flatMap(ModelProperty.init),
      let rank = node.labeledArguments.first?.expression.trimmed
    else { return nil }
    name = property.name
    coding = property.coding
    let mayInherit = !model.isCertainlyRoot
    self.rank = mayInherit ? "\(model.name.trimmed)._$firstRank + \(rank)" : rank
    mark = mayInherit && !property.startsByItself ? property.mark : nil
  }
}
