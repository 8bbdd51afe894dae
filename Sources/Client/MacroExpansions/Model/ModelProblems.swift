import SwiftDiagnostics
import SwiftSyntax

extension Diagnostic {
  /// `@Model` is on something that is no class.
  static func notAModelClass(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> Self {
    MacroProblem(id: "model.notAClass", message: "@Model can only be attached to a class")
      .found(at: node)
  }
}
