import SwiftSyntax

/// Finds in a pure module's files what `BannedUse.rows` names.
enum PurityCheck {
  static func violations(in file: SourceFile, of row: ModuleRow) -> [Violation] {
    guard row.isPure else { return [] }
    let visitor = UseVisitor(viewMode: .sourceAccurate)
    visitor.walk(file.syntax)
    return visitor.found.map { found in
      Violation(
        path: file.path, line: file.line(of: found.node),
        message: "\(row.name) is pure and may not use \(found.spelling): \(found.reason)")
    }
  }
}

/// Collects banned uses.
private final class UseVisitor: SyntaxVisitor {
  var found: [(node: Syntax, spelling: String, reason: String)] = []

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if node.isMemberName { return .visitChildren }
    note(node, named: node.baseName.text)
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    note(node, named: node.name.text)
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    for row in BannedUse.rows {
      guard case .staticMember(let type, let member) = row.shape,
        node.declName.baseName.text == member,
        node.base == nil || node.base?.trimmedDescription == type
      else { continue }
      note(node, row)
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    for row in BannedUse.rows where row.shape.matches(call: node) { note(node, row) }
    return .visitChildren
  }

  private func note(_ node: some SyntaxProtocol, named name: String) {
    for row in BannedUse.rows {
      if case .name(name) = row.shape { note(node, row) }
    }
  }

  private func note(_ node: some SyntaxProtocol, _ row: BannedUse) {
    found.append((Syntax(node), node.trimmedDescription, row.reason))
  }
}

extension BannedUse.Shape {
  /// Whether the call is one of those that the shape describes.
  fileprivate func matches(call: FunctionCallExprSyntax) -> Bool {
    let callee = call.calledExpression
    switch self {
    case .name, .staticMember:
      return false
    case .emptyCall(let type):
      return call.arguments.isEmpty && call.trailingClosure == nil
        && [type, "\(type).init"].contains(callee.trimmedDescription)
    case .method(let name, let label):
      return callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name
        && !call.arguments.contains { $0.label?.text == label }
    case .firstLabel(let label):
      return call.arguments.first?.label?.text == label
    }
  }
}

extension DeclReferenceExprSyntax {
  /// Whether this is the name after the dot, which belongs to whatever stands before it.
  fileprivate var isMemberName: Bool {
    parent?.as(MemberAccessExprSyntax.self)?.declName.id == id
  }
}
