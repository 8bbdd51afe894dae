import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The changes that mend what the macros complain about.
extension FixIt {
  /// Puts `@Transient` before `declaration`.
  static func markTransient(_ declaration: VariableDeclSyntax) -> FixIt {
    var marked = declaration.with(\.leadingTrivia, [])
    let marker: AttributeSyntax = "@Transient"
    let element = marker.with(\.leadingTrivia, declaration.leadingTrivia).with(\.trailingTrivia, .space)
    marked.attributes.insert(.attribute(element), at: marked.attributes.startIndex)
    return .replace(
      message: MacroFix(id: "markTransient", message: "mark the property with @Transient"),
      oldNode: declaration, newNode: marked)
  }

  /// Writes `keyword` instead of the token.
  static func write(_ text: String, for token: TokenSyntax) -> FixIt {
    .replace(
      message: MacroFix(id: "write", message: "write '\(text)' instead"),
      oldNode: token,
      newNode: TokenSyntax(
        .identifier(text), leadingTrivia: token.leadingTrivia, trailingTrivia: token.trailingTrivia,
        presence: .present))
  }

  /// Removes the modifier `modifier` of `declaration`.
  static func remove(_ modifier: DeclModifierSyntax, from declaration: VariableDeclSyntax) -> FixIt {
    var mended = declaration
    mended.modifiers = declaration.modifiers.filter { $0.id != modifier.id }
    mended.leadingTrivia = declaration.leadingTrivia
    return .replace(
      message: MacroFix(id: "removeModifier", message: "remove '\(modifier.name.text)'"),
      oldNode: declaration, newNode: mended)
  }

  /// Removes `attribute` from `declaration`; nil where there can be none.
  static func remove(_ attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol) -> FixIt? {
    guard let marked = declaration.asProtocol((any WithAttributesSyntax).self),
      let mended = marked.without(attribute)
    else { return nil }
    return .replace(
      message: MacroFix(id: "removeAttribute", message: "remove '\(attribute.trimmed)'"),
      oldNode: DeclSyntax(declaration), newNode: mended)
  }

  /// Gives each binding of `declaration` a declaration of its own.
  static func split(_ declaration: VariableDeclSyntax) -> FixIt {
    let first = declaration.leadingTrivia
    let next = Trivia.newline.merging(first.indentation)
    let pieces = declaration.bindings.enumerated().map { index, binding in
      var piece = declaration.with(\.leadingTrivia, index == 0 ? first : next)
      var single = binding.with(\.trailingComma, nil).with(\.trailingTrivia, [])
      // In `var a, b: Int` the type stands once, behind the last name.
      if single.typeAnnotation == nil, single.initializer == nil {
        single.typeAnnotation = declaration.bindings.suffix(from: declaration.bindings.index(
          declaration.bindings.startIndex, offsetBy: index)).lazy.compactMap(\.typeAnnotation).first
      }
      piece.bindings = [single]
      return piece.with(\.trailingTrivia, []).description
    }
    let text: DeclSyntax = "\(raw: pieces.joined())"
    return .replace(
      message: MacroFix(id: "split", message: "declare each property by itself"),
      oldNode: DeclSyntax(declaration), newNode: text.with(\.trailingTrivia, declaration.trailingTrivia))
  }

  /// Gives `binding` a place for a default value.
  static func addDefault(to binding: PatternBindingSyntax) -> FixIt {
    let value = InitializerClauseSyntax(
      equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
      value: ExprSyntax(EditorPlaceholderExprSyntax(placeholder: .identifier("<#value#>"))))
    let mended = binding.with(\.trailingTrivia, []).with(\.initializer, value)
      .with(\.trailingTrivia, binding.trailingTrivia)
    return .replace(
      message: MacroFix(id: "addDefault", message: "add a default value"),
      oldNode: binding, newNode: mended)
  }

  /// Adds `initializer` at the end of `members`.
  static func add(_ initializer: String, to members: MemberBlockSyntax) -> FixIt {
    var mended = members
    let brace = members.rightBrace
    mended.rightBrace = brace.with(
      \.leadingTrivia, .unexpectedText("\n\(initializer)").merging(brace.leadingTrivia))
    return .replace(
      message: MacroFix(id: "addInitializer", message: "add an initializer"),
      oldNode: members, newNode: mended)
  }
}

extension Trivia {
  /// The spaces and tabs behind the last line break.
  var indentation: Trivia {
    let last = pieces.reversed().prefix { !$0.isNewline }.reversed()
    return Trivia(pieces: last.filter(\.isSpaceOrTab))
  }
}

extension WithAttributesSyntax {
  /// The declaration without `attribute`, as it stood otherwise.
  fileprivate func without(_ attribute: AttributeSyntax) -> DeclSyntax? {
    var mended = self
    mended.attributes = attributes.filter { $0.id != attribute.id }
    mended.leadingTrivia = leadingTrivia
    return Syntax(mended).as(DeclSyntax.self)
  }
}
