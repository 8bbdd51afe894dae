import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What `@Model` checks in one `#Unique` or `#Index`.
struct ConstraintChecks {
  let model: ModelClass
  let constraint: MacroExpansionDeclSyntax

  init(_ model: ModelClass, _ constraint: MacroExpansionDeclSyntax) {
    self.model = model
    self.constraint = constraint
  }

  private var macro: String { constraint.macroName.text }

  /// The lists of key paths, those inside `.binary(…)` and `.rtree(…)` too.
  var lists: [ArrayExprSyntax] {
    constraint.arguments.compactMap { argument in
      let inner = argument.expression.as(FunctionCallExprSyntax.self)?.arguments.first?.expression
      return (inner ?? argument.expression).as(ArrayExprSyntax.self)
    }
  }

  var problems: [Diagnostic] {
    if let other = otherModel { return [other] }
    let empty = lists.filter(\.elements.isEmpty)
    if constraint.arguments.isEmpty {
      return [MacroProblem.constraintEmpty(macro).found(at: constraint.macroName)]
    }
    return empty.map { MacroProblem.constraintEmpty(macro).found(at: $0) }
      + lists.flatMap { $0.elements.compactMap { problem(with: $0.expression) } }
  }

  private var otherModel: Diagnostic? {
    guard let type = constraint.genericArgumentClause?.arguments.first?.argument,
      case .type(let named) = type, named.lastName != model.name.text, named.lastName != "Self"
    else { return nil }
    return MacroProblem.constraintOfOther(macro, model.name.text).found(at: named)
  }

  /// A key path to something that has no one value in the store.
  private func problem(with keyPath: ExprSyntax) -> Diagnostic? {
    guard let first = firstProperty(of: keyPath) else { return nil }
    let name = first.identifier?.name ?? first.text
    guard let property = model.properties.first(where: { $0.storedName == name }) else {
      // Superclasses have properties too, which cannot be seen from here.
      guard model.syntax.isCertainlyRoot else { return nil }
      return MacroProblem.constraintUnknown(macro, name).found(at: first)
    }
    guard property.type?.isWrittenCollection == true else { return nil }
    return MacroProblem.constraintMany(macro, name).found(at: first)
  }

  /// Reports a macro that stands where `@Model` does not read it.
  static func place(
    _ node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) {
    let scope = context.lexicalContext.first?.as(ClassDeclSyntax.self)
    guard scope?.mayBeModel != true else { return }
    let macro = node.macroName.text
    let problem =
      scope.map { MacroProblem.constraintWithoutModel(macro, $0.name.text) }
      ?? .constraintMisplaced(macro)
    context.diagnose(problem.found(at: node.macroName))
  }

  /// What is said more than once, by one macro or by several of a kind.
  static func repetitions(in model: ModelClass) -> [Diagnostic] {
    var seen: Set<String> = []
    return model.constraints.flatMap { constraint in
      let checks = ConstraintChecks(model, constraint)
      return checks.lists.compactMap { list -> Diagnostic? in
        let names = list.elements.compactMap { checks.firstProperty(of: $0.expression)?.text }
        let macro = constraint.macroName.text
        guard !names.isEmpty else { return nil }
        // The order counts in an index, not in a constraint.
        let key = macro == "Unique" ? names.sorted() : names
        let kind = list.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)?.calledExpression
        let isNew = seen.insert("\(macro) \(kind?.trimmedDescription ?? "") \(key)").inserted
        return isNew ? nil : MacroProblem.constraintTwice(macro).found(at: list)
      }
    }
  }

  /// The name of the first property of a key path.
  private func firstProperty(of keyPath: ExprSyntax) -> TokenSyntax? {
    let names = keyPath.as(KeyPathExprSyntax.self)?.components.compactMap { item in
      guard case .property(let property) = item.component else { return nil as TokenSyntax? }
      return property.declName.baseName
    }
    // In `\Trips.Trip.name` the first names are types.
    return names?.drop { $0.text.first?.isUppercase == true }.first
  }
}
