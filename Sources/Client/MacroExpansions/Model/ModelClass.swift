import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

/// A class that `@Model` is attached to, as it is written.
struct ModelClass {
  let syntax: ClassDeclSyntax
  /// The members that this build has, those inside `#if` too.
  let members: [DeclSyntax]
  /// What each object has memory for, whether a store keeps it or not.
  let variables: [VariableDeclSyntax]
  /// Whether the program is in an earlier language mode, where the compiler warns of what is an error in
  /// Swift 6: macros that make a `let` computed, and unsafe classes that say that they are Sendable.
  let isBeforeSwift6: Bool
  /// Each `#Unique` and each `#Index` in the class.
  let constraints: [MacroExpansionDeclSyntax]
  /// What a store keeps, sorted by the bytes of the names: an index is a rank in this class.
  let properties: [ModelProperty]
  /// Whether the class stands inside something with generic parameters.
  let isInGenericScope: Bool
  /// The access level that the class's witnesses need, with a space behind it, or nothing.
  let access: String

  init(_ syntax: ClassDeclSyntax, in context: some MacroExpansionContext) {
    self.syntax = syntax
    members = syntax.memberBlock.members.active(in: context)
    isBeforeSwift6 =
      context.buildConfiguration.map { $0.languageVersion < VersionTuple(6) } ?? false
    let isBeforeSwift6 = isBeforeSwift6
    variables = members.compactMap { $0.as(VariableDeclSyntax.self) }.filter(\.isStored)
    properties = variables.filter { isBeforeSwift6 || !$0.isConstant }.compactMap(
      ModelProperty.init
    )
    .sorted { $0.storedName.utf8.lexicographicallyPrecedes($1.storedName.utf8) }
    constraints = members.compactMap { $0.as(MacroExpansionDeclSyntax.self) }
      .filter { ["Index", "Unique"].contains($0.macroName.text) }
    isInGenericScope = ([Syntax(syntax)] + context.lexicalContext).contains {
      $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }
    access = syntax.accessOfMembers(inside: context.lexicalContext)
  }

  /// The class's name as it is written.
  var name: TokenSyntax { syntax.name.trimmed }

  /// Whether the class may have subclasses.
  var isFinal: Bool { syntax.has(modifier: .final) }

  /// Whether the class may have an isolation: its own, or that of a superclass or of a protocol.
  ///
  /// The default isolation of a program is not meant: it does not hold for models, since what they conform
  /// to is for every isolation.
  var mayBeIsolated: Bool {
    !syntax.isCertainlyRoot || syntax.writtenAttributes.contains { $0.lastName.hasSuffix("Actor") }
  }

  /// Where the class says that it is Sendable.
  var sendable: TypeSyntax? {
    syntax.inheritanceClause?.inheritedTypes.map(\.type).first { $0.lastName == "Sendable" }
  }

  /// The access level of members that subclasses give anew, wherever these are.
  var accessOfOverridable: String { syntax.has(modifier: .open) ? "open " : access }

  /// The keyword for a member of the type that subclasses give anew.
  var typeMember: String { isFinal ? "static" : "class" }

  /// The initializers that set the properties themselves.
  var designatedInitializers: [InitializerDeclSyntax] {
    members.compactMap { $0.as(InitializerDeclSyntax.self) }
      .filter { !$0.has(modifier: .convenience) }
  }

  /// The rank of `property` in the class; nil when a store does not keep it.
  func rank(of property: ModelProperty) -> Int? {
    properties.firstIndex { $0.storedName == property.storedName }
  }
}

extension ClassDeclSyntax {
  /// Whether nothing that the class inherits from can be a class.
  ///
  /// A macro that sees one property sees no types, so names must do. A root class that is not taken for one
  /// works all the same, only its initializers are a little slower.
  var isCertainlyRoot: Bool {
    let inherited = inheritanceClause?.inheritedTypes.map(\.type.lastName) ?? []
    return inherited.allSatisfy(Self.wellKnownProtocols.contains)
  }

  private static let wellKnownProtocols: Set<String> = [
    "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable",
    "Encodable", "Equatable", "Error", "Hashable", "Identifiable", "Observable", "PersistentModel",
    "Sendable",
  ]
}

extension TypeSyntax {
  /// The type's name without attributes and without that of its module.
  var lastName: String {
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.lastName }
    if let member = self.as(MemberTypeSyntax.self) { return member.name.text }
    return self.as(IdentifierTypeSyntax.self)?.name.text ?? trimmedDescription
  }
}

extension MemberBlockItemListSyntax {
  /// The members that are compiled: of each `#if` those of the clause that holds.
  ///
  /// Without a build configuration, as in other tools than the compiler, the first clause is taken.
  func active(in context: some MacroExpansionContext) -> [DeclSyntax] {
    flatMap { item -> [DeclSyntax] in
      guard let condition = item.decl.as(IfConfigDeclSyntax.self) else { return [item.decl] }
      let clause =
        if let build = context.buildConfiguration {
          condition.activeClause(in: build).clause
        } else {
          condition.clauses.first
        }
      guard case .decls(let members) = clause?.elements else { return [] }
      return members.active(in: context)
    }
  }
}
