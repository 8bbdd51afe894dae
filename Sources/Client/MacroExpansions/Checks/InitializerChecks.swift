import SwiftDiagnostics
import SwiftSyntax

/// What `@Model` checks in initializers.
extension ModelClass {
  var initializers: [Diagnostic] {
    guard !designatedInitializers.isEmpty else { return [missingInitializer] }
    // Where the accessors for initializers are, the compiler sees to it.
    guard syntax.isCertainlyRoot else { return [] }
    return designatedInitializers.compactMap(leftOut)
  }

  private var missingInitializer: Diagnostic {
    MacroProblem.noInitializer(name).found(
      at: syntax.name, fix: .add(memberwiseInitializer, to: syntax.memberBlock))
  }

  /// An initializer with a parameter for each property that has no default.
  private var memberwiseInitializer: String {
    let inOrder = members.compactMap { $0.as(VariableDeclSyntax.self).flatMap(ModelProperty.init) }
    let given = inOrder.filter { !$0.startsByItself }
    let parameters = given.map { "\($0.name): \($0.type?.description ?? "<#type#>")" }
    let lines = given.map { "self.\($0.name) = \($0.name)" }
    let outer = syntax.memberBlock.rightBrace.leadingTrivia.indentation.description
    let inner = syntax.memberBlock.members.first?.leadingTrivia.indentation.description ?? "  "
    let body = lines.map { "\(inner)\(inner.dropFirst(outer.count))\($0)\n" }.joined()
    return "\n\n\(inner)\(access)init(\(parameters.joined(separator: ", "))) {"
      + (lines.isEmpty ? "}" : "\n\(body)\(inner)}")
  }

  /// The properties that `initializer` gives no value.
  ///
  /// The compiler would ask for them if they were stored where it can see it. What is assigned on one path
  /// counts; so this finds what was forgotten, not each way around it.
  private func leftOut(_ initializer: InitializerDeclSyntax) -> Diagnostic? {
    guard let assigned = initializer.assignedNames, !initializer.neverReturns else { return nil }
    let names = properties.filter { !$0.startsByItself && !assigned.contains($0.storedName) }
      .map(\.storedName)
    return names.isEmpty ? nil : MacroProblem.leftOut(names).found(at: initializer.initKeyword)
  }
}

extension InitializerDeclSyntax {
  /// Whether its last statement says that it makes no object.
  fileprivate var neverReturns: Bool {
    guard let last = body?.statements.last?.item else { return false }
    if last.is(ThrowStmtSyntax.self) { return true }
    let called = last.as(FunctionCallExprSyntax.self)?.calledExpression
    let name = called?.as(DeclReferenceExprSyntax.self)?.baseName.text
    return ["fatalError", "preconditionFailure"].contains(name)
  }

  /// The names on the left of its assignments; nil where another initializer or a macro may assign more.
  var assignedNames: Set<String>? {
    guard let body else { return nil }
    let assigned = AssignedNames(viewMode: .sourceAccurate)
    assigned.walk(body)
    return assigned.goesElsewhere ? nil : assigned.names
  }
}

/// Collects what stands on the left of assignments.
private final class AssignedNames: SyntaxVisitor {
  var names: Set<String> = []
  /// Whether another initializer or a macro may assign more.
  var goesElsewhere = false

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    guard let last = elements.lastIndex(where: { $0.is(AssignmentExprSyntax.self) }) else {
      return .visitChildren
    }
    for element in elements[..<last] {
      for token in element.tokens(viewMode: .sourceAccurate) {
        if let name = token.identifier?.name { names.insert(name) }
      }
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let member = node.calledExpression.as(MemberAccessExprSyntax.self)
    if member?.declName.baseName.tokenKind == .keyword(.`init`),
      member?.base?.trimmedDescription == "self"
    {
      goesElsewhere = true
    }
    return .visitChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    goesElsewhere = true
    return .skipChildren
  }
}
