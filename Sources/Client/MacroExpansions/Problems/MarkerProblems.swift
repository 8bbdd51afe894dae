import SwiftDiagnostics
import SwiftSyntax

/// What can be wrong with `@Attribute`, `@Relationship` and `@Transient`.
extension MacroProblem {
  static func misplaced(_ marker: String) -> Self {
    MacroProblem(
      id: "marker.misplaced",
      message: "@\(marker) is for stored properties of @Model classes, and says nothing here",
      severity: .warning)
  }

  static func withoutModel(_ marker: String, _ name: String) -> Self {
    MacroProblem(
      id: "marker.withoutModel",
      message: "@\(marker) says nothing in '\(name)', which is no @Model class; add @Model to it",
      severity: .warning)
  }

  static func contradiction(_ marker: String, _ other: String) -> Self {
    MacroProblem(
      id: "marker.contradiction",
      message: "a property cannot be marked with both @\(other) and @\(marker)")
  }

  static func transientWithoutDefault(_ name: String) -> Self {
    MacroProblem(
      id: "transient.noDefault",
      message: "@Transient requires non-optional property '\(name)' to have a default value, "
        + "which objects that are read from the store begin with")
  }

  static let uniqueMany = MacroProblem(
    id: "marker.uniqueMany",
    message: "'unique' is for single values and for relationships to one object")

  static let codedTwice = MacroProblem(
    id: "attribute.codedTwice",
    message: "an attribute is either 'codable' or 'transformable'")

  static func unknownOption(_ text: String) -> Self {
    MacroProblem(
      id: "attribute.unknownOption",
      message: "write the option out: @Model goes by its name, and '\(text)' is none that it knows")
  }

  static let emptyOriginalName = MacroProblem(
    id: "marker.emptyOriginalName",
    message: "'originalName' is the name that the property had before")

  static func sameOriginalName(_ name: String) -> Self {
    MacroProblem(
      id: "marker.sameOriginalName",
      message: "'originalName' is what the property is called now, so it says nothing",
      severity: .warning)
  }

  static func countsCrossed(_ least: Int, _ most: Int) -> Self {
    MacroProblem(
      id: "relationship.countsCrossed",
      message: "the minimum of \(least) is more than the maximum of \(most)")
  }

  static let negativeCount = MacroProblem(
    id: "relationship.negativeCount", message: "a number of models cannot be negative")

  static func valueRelationship(_ type: String) -> Self {
    MacroProblem(
      id: "relationship.value",
      message: "a relationship leads to models, and '\(type)' is none; use @Attribute, or nothing")
  }
}
