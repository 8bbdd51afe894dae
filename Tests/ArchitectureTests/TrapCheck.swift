import SwiftSyntax

/// A place that may trap, because a proof stands beside it that it never does on a user's path.
struct TrapException {
  /// The file, from the root of the repository.
  var path: String
  /// The line's text, without the space around it.
  var line: String
  /// Why it cannot trap.
  var proof: String

  static let rows: [TrapException] = [
    TrapException(
      path: "Sources/Client/ObjectStore/Concurrency/ConcurrencyDebug.swift",
      line: "fatalError(message)",
      proof: "stopping the program is what CONTRAIL_CONCURRENCY_DEBUG=1 asks for; without it the "
        + "line is not reached, since every caller looks at the flag first"),
    TrapException(
      path: "Sources/Client/Contrail/Values/StandIn.swift",
      line: "fatalError(\"\\(type) is read before it is set, and no value can be made; "
        + "set it in init first\")",
      proof: "a container refuses a class with a property of such a type unless the property has a "
        + "declared value, which getters come to first; a model that is in no container keeps what it "
        + "was given, and @Model refuses initializers that give it nothing"),
  ]
}

/// Finds what ends the program instead of throwing: nothing that a user does may trap.
enum TrapCheck {
  /// What ends the program in `file`, but for the places in `exceptions`.
  static func violations(in file: SourceFile, exceptions: [TrapException]) -> [Violation] {
    traps(in: file)
      .filter { trap in !exceptions.contains { $0.covers(trap, in: file) } }
      .map { trap in
        Violation(
          path: file.path, line: trap.line,
          message: "\(trap.spelling) ends the program; throw an error or return nil, "
            + "or add the line and a proof to TrapException.rows")
      }
  }

  /// The exceptions that cover nothing in `files` any more.
  static func unused(_ exceptions: [TrapException], in files: [SourceFile]) -> [TrapException] {
    exceptions.filter { exception in
      !files.contains { file in traps(in: file).contains { exception.covers($0, in: file) } }
    }
  }

  private static func traps(in file: SourceFile) -> [(spelling: String, line: Int)] {
    let visitor = TrapVisitor(viewMode: .sourceAccurate)
    visitor.walk(file.syntax)
    return visitor.found.map { ($0.spelling, file.line(of: $0.node)) }
  }
}

extension TrapException {
  fileprivate func covers(_ trap: (spelling: String, line: Int), in file: SourceFile) -> Bool {
    path == file.path && line == file.trimmedLine(trap.line)
  }
}

/// Collects traps.
private final class TrapVisitor: SyntaxVisitor {
  var found: [(node: Syntax, spelling: String)] = []

  override func visit(_ node: ForceUnwrapExprSyntax) -> SyntaxVisitorContinueKind {
    note(node.exclamationMark, "a force unwrap")
  }

  override func visit(_ node: ImplicitlyUnwrappedOptionalTypeSyntax) -> SyntaxVisitorContinueKind {
    note(node.exclamationMark, "an implicitly unwrapped optional")
  }

  override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
    node.questionOrExclamationMark?.tokenKind == .exclamationMark
      ? note(node, "try!") : .visitChildren
  }

  override func visit(_ node: AsExprSyntax) -> SyntaxVisitorContinueKind {
    node.questionOrExclamationMark?.tokenKind == .exclamationMark
      ? note(node.asKeyword, "as!") : .visitChildren
  }

  /// Operators are not folded in a parsed file: there a cast is a link in a chain.
  override func visit(_ node: UnresolvedAsExprSyntax) -> SyntaxVisitorContinueKind {
    node.questionOrExclamationMark?.tokenKind == .exclamationMark
      ? note(node, "as!") : .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.text
    return ["fatalError", "preconditionFailure", "unsafelyUnwrapped"].contains(name)
      ? note(node, name) : .visitChildren
  }

  private func note(
    _ node: some SyntaxProtocol, _ spelling: String
  ) -> SyntaxVisitorContinueKind {
    found.append((Syntax(node), spelling))
    return .visitChildren
  }
}
