import SwiftDiagnostics
import SwiftSyntax

/// What can be wrong with a property of a model class.
extension MacroProblem {
  static let severalInOne = MacroProblem(
    id: "property.severalInOne",
    message: "each property of a model needs a declaration of its own")

  static let pattern = MacroProblem(
    id: "property.pattern",
    message: "a property of a model cannot be a part of a tuple; declare each property by itself")

  static func lazy(_ name: String) -> Self {
    MacroProblem(
      id: "property.lazy",
      message: "'\(name)' cannot be lazy and kept in the store; mark it with @Transient")
  }

  static func constant(_ name: String) -> Self {
    MacroProblem(
      id: "property.constant",
      message:
        "'\(name)' is a constant, which cannot be read from a store; write 'var', or mark it "
        + "with @Transient")
  }

  static func reference(_ name: String, _ modifier: String) -> Self {
    MacroProblem(
      id: "property.reference",
      message:
        "'\(name)' cannot be '\(modifier)': a store knows relationships, which keep nothing alive")
  }

  static func observer(_ kind: String, _ name: String) -> Self {
    MacroProblem(
      id: "property.observer",
      message: "'\(kind)' is not called for '\(name)', which the store keeps",
      severity: .warning)
  }

  static func wrapper(_ attribute: String, _ name: String) -> Self {
    MacroProblem(
      id: "property.wrapper",
      message: "if '@\(attribute)' is a property wrapper, '\(name)' cannot be kept in the store; "
        + "mark it with @Transient",
      severity: .warning)
  }

  static func reservedName(_ name: String) -> Self {
    MacroProblem(
      id: "property.reservedName",
      message: "every model has a '\(name)' already; give the property another name")
  }

  static func hidingName(_ name: String) -> Self {
    MacroProblem(
      id: "property.hidingName",
      message: "the property hides the '\(name)' that every model has",
      severity: .warning)
  }

  static func namedAsInObjects(_ name: String) -> Self {
    MacroProblem(
      id: "property.namedAsInObjects",
      message:
        "SwiftData refuses a property with the name '\(name)', so the class is one for Linux only",
      severity: .warning)
  }

  static func unsupportedType(_ name: String, _ kind: String) -> Self {
    MacroProblem(
      id: "property.unsupportedType",
      message: "'\(name)' is \(kind), which a store cannot keep; mark it with @Transient")
  }
}
