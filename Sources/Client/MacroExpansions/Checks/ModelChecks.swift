import SwiftDiagnostics
import SwiftSyntax

/// Everything that `@Model` checks, in the order in which it is reported.
enum ModelChecks {
  static let rows: [@Sendable (ModelClass) -> [Diagnostic]] = [
    { $0.genericParameters }, { $0.sendability }, { $0.variables.flatMap(PropertyChecks.problems) },
    { $0.constants }, { $0.initializers },
    { model in model.constraints.flatMap { ConstraintChecks(model, $0).problems } },
    { ConstraintChecks.repetitions(in: $0) },
  ]

  /// The problems with `model`.
  static func problems(with model: ModelClass) -> [Diagnostic] { rows.flatMap { $0(model) } }
}

extension ModelClass {
  fileprivate var genericParameters: [Diagnostic] {
    syntax.genericParameterClause.map { [MacroProblem.genericModel.found(at: $0)] } ?? []
  }

  fileprivate var sendability: [Diagnostic] {
    guard let sendable, !sendable.is(AttributedTypeSyntax.self) else { return [] }
    var problem = MacroProblem.sendableModel(name)
    if isBeforeSwift6 { problem.severity = .warning }
    return [problem.found(at: sendable)]
  }

  /// The constants that a store would have to set.
  fileprivate var constants: [Diagnostic] {
    guard !isBeforeSwift6 else { return [] }
    return variables.filter(\.isConstant).compactMap { variable in
      guard let property = ModelProperty(variable) else { return nil }
      return MacroProblem.constant(property.storedName).found(
        at: variable.bindingSpecifier, fix: .write("var", for: variable.bindingSpecifier))
    }
  }
}
