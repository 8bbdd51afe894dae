import SwiftDiagnostics

/// What can be wrong with `#Unique` and `#Index`.
extension MacroProblem {
  static func constraintMisplaced(_ macro: String) -> Self {
    MacroProblem(
      id: "constraint.misplaced", message: "#\(macro) can only stand inside a @Model class")
  }

  static func constraintWithoutModel(_ macro: String, _ name: String) -> Self {
    MacroProblem(
      id: "constraint.withoutModel",
      message: "#\(macro) says nothing in '\(name)', which is no @Model class; add @Model to it")
  }

  static func constraintOfOther(_ macro: String, _ model: String) -> Self {
    MacroProblem(
      id: "constraint.ofOther",
      message: "#\(macro) inside '\(model)' is about '\(model)' and no other model")
  }

  static func constraintEmpty(_ macro: String) -> Self {
    MacroProblem(
      id: "constraint.empty", message: "#\(macro) needs at least one key path in each list")
  }

  static func constraintTwice(_ macro: String) -> Self {
    MacroProblem(
      id: "constraint.twice", message: "#\(macro) names the same properties a second time")
  }

  static func constraintUnknown(_ macro: String, _ name: String) -> Self {
    MacroProblem(
      id: "constraint.unknown",
      message: "#\(macro) is for properties that the store keeps, and '\(name)' is none")
  }

  static func constraintMany(_ macro: String, _ name: String) -> Self {
    MacroProblem(
      id: "constraint.many",
      message: "#\(macro) is for single values and relationships to one object, "
        + "and '\(name)' is a collection")
  }
}
