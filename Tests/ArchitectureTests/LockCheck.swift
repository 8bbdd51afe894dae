import SwiftSyntax

/// Finds locks that hold a function.
///
/// `withLock` takes the value as generic code does, so that a function is wrapped when the lock is opened and
/// unwrapped when it is closed. Both stay: each call makes it a little deeper, until the stack is too small.
/// A structure around the function is passed as it is.
enum LockCheck {
  static func violations(in file: SourceFile) -> [Violation] {
    let visitor = LockVisitor(viewMode: .sourceAccurate)
    visitor.walk(file.syntax)
    return visitor.found.map { node in
      Violation(
        path: file.path, line: file.line(of: node),
        message: "a lock holds a function, which each withLock wraps once more; "
          + "put it into a structure")
    }
  }
}

/// Collects the types `Mutex<function>`, also of optional functions.
private final class LockVisitor: SyntaxVisitor {
  var found: [Syntax] = []

  override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind {
    guard node.previousToken(viewMode: .sourceAccurate)?.text == "Mutex",
      let argument = node.arguments.first, Self.isFunction(Syntax(argument.argument))
    else { return .visitChildren }
    found.append(Syntax(node))
    return .visitChildren
  }

  private static func isFunction(_ type: Syntax) -> Bool {
    if type.is(FunctionTypeSyntax.self) { return true }
    if let type = type.as(AttributedTypeSyntax.self) { return isFunction(Syntax(type.baseType)) }
    if let type = type.as(OptionalTypeSyntax.self) { return isFunction(Syntax(type.wrappedType)) }
    // Parentheses around a type are a tuple of one.
    if let type = type.as(TupleTypeSyntax.self) {
      return type.elements.contains { isFunction(Syntax($0.type)) }
    }
    return false
  }
}
