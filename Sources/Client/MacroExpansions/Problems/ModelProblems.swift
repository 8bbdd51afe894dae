import SwiftSyntax

/// What can be wrong with a model class as a whole.
extension MacroProblem {
  static func notAClass(_ kind: String) -> Self {
    MacroProblem(
      id: "model.notAClass", message: "@Model can only be attached to a class, not to \(kind)")
  }

  static func noInitializer(_ model: TokenSyntax) -> Self {
    MacroProblem(
      id: "model.noInitializer",
      message: "@Model requires an initializer be provided for '\(model.text)'")
  }

  static func leftOut(_ names: [String]) -> Self {
    let properties = names.map { "'\($0)'" }.joined(separator: ", ")
    return MacroProblem(
      id: "model.leftOut",
      message:
        "the initializer gives no value to \(properties), which \(names.count == 1 ? "has" : "have") "
        + "no default")
  }

  static let genericModel = MacroProblem(
    id: "model.generic",
    message: "a model class cannot have generic parameters: a store knows it by its name alone")

  static func sendableModel(_ model: TokenSyntax) -> Self {
    MacroProblem(
      id: "model.sendable",
      message: "models are not Sendable: use a ModelActor, or send \(model.text)'s "
        + "persistentModelID instead")
  }

  static func notAnActor(_ kind: String) -> Self {
    MacroProblem(
      id: "modelActor.notAnActor",
      message: "@ModelActor can only be attached to an actor, not to \(kind)")
  }
}
