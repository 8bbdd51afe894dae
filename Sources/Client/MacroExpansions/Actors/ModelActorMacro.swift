import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Expands `@ModelActor`: an actor with a context of its own.
struct ModelActorMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let syntax = declaration.as(ActorDeclSyntax.self) else {
      context.diagnose(.notAnActor(declaration))
      return []
    }
    let access = syntax.accessOfMembers(inside: context.lexicalContext)
    let members: [DeclSyntax] = [
      "\(raw: access)nonisolated let modelExecutor: any Contrail.ModelExecutor",
      "\(raw: access)nonisolated let modelContainer: Contrail.ModelContainer",
    ]
    return members + (hasInitializer(syntax, in: context) ? [] : [initializer(access)])
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): Contrail.ModelActor {}")]
  }

  private static func initializer(_ access: String) -> DeclSyntax {
    """
    \(raw: access)init(modelContainer: Contrail.ModelContainer) {
    let modelContext = Contrail.ModelContext(modelContainer)
    self.modelExecutor = Contrail.DefaultSerialModelExecutor(modelContext: modelContext)
    self.modelContainer = modelContainer
    }
    """
  }

  /// Whether the actor has the initializer that the macro would write.
  private static func hasInitializer(
    _ syntax: ActorDeclSyntax, in context: some MacroExpansionContext
  ) -> Bool {
    syntax.memberBlock.members.active(in: context)
      .compactMap { $0.as(InitializerDeclSyntax.self) }
      .contains {
        $0.signature.parameterClause.parameters.map(\.firstName.text) == ["modelContainer"]
      }
  }
}
