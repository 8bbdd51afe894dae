import SwiftDiagnostics
import SwiftSyntax

/// What the macros for whole types check: that they stand on the right kind of type.
extension Diagnostic {
  /// `@Model` is on something that is no class.
  static func notAClass(_ declaration: some DeclGroupSyntax) -> Diagnostic {
    let fixable: [Keyword] = [.actor, .struct]
    let keyword = declaration.introducer
    let fix = fixable.contains { keyword.tokenKind == .keyword($0) }
    return MacroProblem.notAClass(declaration.kindName).found(
      at: keyword, fix: fix ? .write("final class", for: keyword) : nil)
  }

  /// `@ModelActor` is on something that is no actor.
  static func notAnActor(_ declaration: some DeclGroupSyntax) -> Diagnostic {
    let keyword = declaration.introducer
    let fix = declaration.is(ClassDeclSyntax.self) || declaration.is(StructDeclSyntax.self)
    return MacroProblem.notAnActor(declaration.kindName).found(
      at: keyword, fix: fix ? .write("actor", for: keyword) : nil)
  }
}

extension DeclGroupSyntax {
  /// What the declaration is, with its article.
  fileprivate var kindName: String {
    let kind = introducer.text
    return
      "\("aeiou".contains(kind.prefix(1)) ? "an" : "a") \(kind == "enum" ? "enumeration" : kind)"
  }
}
