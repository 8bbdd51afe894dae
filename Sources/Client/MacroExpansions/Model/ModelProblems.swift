import SwiftDiagnostics
import SwiftSyntax

extension Diagnostic {
  /// `@Model` is on something that is no class.
  static func notAModelClass(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> Self {
    MacroProblem(id: "model.notAClass", message: "@Model can only be attached to a class")
      .found(at: node)
  }

  /// `@ModelActor` is on something that is no actor.
  static func notAModelActor(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> Self {
    MacroProblem(
      id: "modelActor.notAnActor", message: "@ModelActor can only be attached to an actor"
    )
    .found(at: node)
  }
}
