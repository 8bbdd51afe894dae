import SwiftDiagnostics
import SwiftSyntax

/// The changes that mend what the macros complain about, each as small as it can be.
extension FixIt {
  /// Puts `@Transient` before `declaration`.
  static func markTransient(_ declaration: VariableDeclSyntax) -> FixIt {
    FixIt(
      "markTransient", "mark the property with @Transient",
      insert: "@Transient ", at: declaration.positionAfterSkippingLeadingTrivia, in: declaration)
  }

  /// Writes `text` instead of the token.
  static func write(_ text: String, for token: TokenSyntax) -> FixIt {
    FixIt("write", "write '\(text)' instead", replace: token.trimmedRange, with: text, in: token)
  }

  /// Removes `piece`, a modifier or an attribute, with the space behind it.
  static func remove(_ piece: some SyntaxProtocol) -> FixIt {
    let start = piece.positionAfterSkippingLeadingTrivia
    let next = piece.nextToken(viewMode: .sourceAccurate)
    let isBare = next?.leadingTrivia.allSatisfy(\.isWhitespace) == true
    let end = isBare ? next?.positionAfterSkippingLeadingTrivia : nil
    return FixIt(
      "remove", "remove '\(piece.trimmed)'", replace: start..<(end ?? piece.endPosition), with: "",
      in: piece)
  }

  /// Gives each binding of `declaration` a declaration of its own.
  static func split(_ declaration: VariableDeclSyntax) -> FixIt {
    let bindings = Array(declaration.bindings)
    let heading = declaration.with(\.bindings, []).trimmedDescription
    let pieces = bindings.indices.map { index in
      // In `var a, b: Int` the type stands once, behind the last name.
      let shared = bindings[index...].lazy.compactMap(\.typeAnnotation).first
      let isBare = bindings[index].typeAnnotation == nil && bindings[index].initializer == nil
      let binding = bindings[index].with(\.trailingComma, nil).trimmedDescription
      return "\(heading) \(binding)\(isBare ? shared?.trimmedDescription ?? "" : "")"
    }
    let lineBreak = "\n\(declaration.leadingTrivia.indentation)"
    return FixIt(
      "split", "declare each property by itself", replace: declaration.trimmedRange,
      with: pieces.joined(separator: lineBreak), in: declaration)
  }

  /// Gives `binding` a place for a default value.
  static func addDefault(to binding: PatternBindingSyntax) -> FixIt {
    FixIt(
      "addDefault", "add a default value", insert: " = <#value#>",
      at: binding.endPositionBeforeTrailingTrivia, in: binding)
  }

  /// Adds `initializer` at the end of `members`.
  static func add(_ initializer: String, to members: MemberBlockSyntax) -> FixIt {
    FixIt(
      "addInitializer", "add an initializer", insert: initializer, at: members.rightBrace.position,
      in: members)
  }

  private init(
    _ id: String, _ message: String, insert text: String, at position: AbsolutePosition,
    in node: some SyntaxProtocol
  ) {
    self.init(id, message, replace: position..<position, with: text, in: node)
  }

  private init(
    _ id: String, _ message: String, replace range: Range<AbsolutePosition>, with text: String,
    in node: some SyntaxProtocol
  ) {
    self.init(
      message: MacroFix(id: id, message: message),
      changes: [.replaceText(range: range, with: text, in: Syntax(node))])
  }
}

extension Trivia {
  /// The spaces and tabs behind the last line break.
  var indentation: Trivia {
    let last = pieces.reversed().prefix { !$0.isNewline }.reversed()
    return Trivia(pieces: last.filter(\.isSpaceOrTab))
  }
}
