import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Expands `@Model`: a class whose objects a store keeps.
struct ModelMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let syntax = declaration.as(ClassDeclSyntax.self) else {
      context.diagnose(.notAClass(declaration))
      return []
    }
    let model = ModelClass(syntax, in: context)
    for problem in ModelChecks.problems(with: model) { context.diagnose(problem) }
    // A class whose superclass is a model conforms already, and is not asked to conform; nor is one that says
    // itself that it does, which no such class may.
    let isRoot = protocols.contains(where: \.isModelProtocol) || syntax.saysThatItIsModel
    let superclass = isRoot ? nil : syntax.inheritanceClause?.inheritedTypes.first?.type.trimmed
    return ModelMembers(model: model, superclass: superclass).all
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard let syntax = declaration.as(ClassDeclSyntax.self) else { return [] }
    if let initializer = member.as(InitializerDeclSyntax.self) {
      return ModelClass(syntax, in: context).needsStart(initializer) ? ["@_PersistedStart"] : []
    }
    // The compiler asks for each member by itself, with the whole class anew: there is no place to keep what
    // was found for the last. What no store keeps is told before the class is read.
    guard let variable = member.as(VariableDeclSyntax.self),
      let property = ModelProperty(variable),
      let rank = ModelClass(syntax, in: context).rank(of: property)
    else { return [] }
    let attribute: AttributeSyntax = "@_PersistedProperty(\(raw: rank))"
    guard !syntax.isCertainlyRoot else { return [attribute] }
    return [attribute, "@_PersistedInitialValue(\(raw: rank))"]
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(ClassDeclSyntax.self) else { return [] }
    return try protocols.flatMap { asked in
      guard let row = conformances[asked.lastName] else { return [ExtensionDeclSyntax]() }
      return [try row(type.trimmed)]
    }
  }

  /// The extension for each conformance that may be asked for: those that the class has are not.
  private static let conformances:
    [String: @Sendable (any TypeSyntaxProtocol) throws -> ExtensionDeclSyntax] = [
      "Hashable": { type in
        try ExtensionDeclSyntax("extension \(type): nonisolated Hashable {}")
      },
      "PersistentModel": { type in
        try ExtensionDeclSyntax("extension \(type): nonisolated Contrail.PersistentModel {}")
      },
      "Sendable": { type in
        let message =
          "models are not Sendable: use a ModelActor, or send \(type)'s persistentModelID instead"
        return try ExtensionDeclSyntax(
          """
          @available(*, unavailable, message: \(literal: message))
          extension \(type): Sendable {}
          """)
      },
    ]
}

extension ClassDeclSyntax {
  /// Whether the class is written as a `PersistentModel`, beside other protocols or as a part of a composition.
  fileprivate var saysThatItIsModel: Bool {
    inheritanceClause?.inheritedTypes.contains { inherited in
      inherited.type.parts.contains(where: \.isModelProtocol)
    } ?? false
  }
}

extension TypeSyntax {
  fileprivate var isModelProtocol: Bool { lastName == "PersistentModel" }

  /// The types that a composition is made of, or the type alone.
  fileprivate var parts: [TypeSyntax] {
    self.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [self]
  }
}
