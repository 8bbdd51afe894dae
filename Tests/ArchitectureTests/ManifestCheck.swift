import SwiftSyntax

/// Holds the targets of Package.swift against the table of modules.
enum ManifestCheck {
  /// A target as the manifest declares it.
  struct Target {
    var name: String
    var path: String?
    var dependencies: [String]
    var line: Int

    /// Whether the target is a module of ours: bindings to C and what only tests use are none.
    var isModule: Bool {
      guard let path else { return false }
      return path.hasPrefix("Sources/") && !path.hasPrefix("Sources/System/")
    }
  }

  static func violations(in manifest: SourceFile, rows: [ModuleRow]) -> [Violation] {
    let targets = targets(in: manifest).filter(\.isModule)
    let missing = rows.filter { row in !targets.contains { $0.name == row.name } }.map { row in
      Violation(path: manifest.path, line: 1, message: "no target for the module \(row.name)")
    }
    return missing + targets.flatMap { violations(of: $0, in: manifest, rows: rows) }
  }

  private static func violations(
    of target: Target, in manifest: SourceFile, rows: [ModuleRow]
  ) -> [Violation] {
    func violation(_ message: String) -> Violation {
      Violation(path: manifest.path, line: target.line, message: message)
    }
    guard let row = rows.first(where: { $0.name == target.name }) else {
      return [violation("the target \(target.name) has no row in ModuleTable.rows")]
    }
    // A macro is not imported: the module that declares it names its plugin in `#externalMacro`.
    let imported = target.dependencies.filter { $0 != "ModelMacros" }
    let surplus = imported.filter { !row.imports.contains($0) }.map {
      violation("\(target.name) may not depend on \($0): its row does not allow the import")
    }
    let misplaced =
      target.path == row.path ? [] : [violation("\(target.name) belongs in \(row.path)")]
    return surplus + misplaced
  }

  /// The targets in `manifest` that are not test targets.
  static func targets(in manifest: SourceFile) -> [Target] {
    let visitor = TargetVisitor(viewMode: .sourceAccurate)
    visitor.walk(manifest.syntax)
    return visitor.found.compactMap { call in
      guard let name = call.literal("name") else { return nil }
      return Target(
        name: name, path: call.literal("path"), dependencies: call.literals("dependencies"),
        line: manifest.line(of: call))
    }
  }
}

/// Collects `.target(…)` and its kin.
private final class TargetVisitor: SyntaxVisitor {
  var found: [FunctionCallExprSyntax] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let kinds = [".target", ".executableTarget", ".macro", ".systemLibrary"]
    let isTarget = kinds.contains(node.calledExpression.trimmedDescription)
    // `.target(name:)` also stands inside dependency lists; only a declared target has a path.
    if isTarget, node.literal("path") != nil { found.append(node) }
    return .visitChildren
  }
}

extension FunctionCallExprSyntax {
  /// The text of the literal that is the argument labelled `label`.
  fileprivate func literal(_ label: String) -> String? {
    argument(label)?.as(StringLiteralExprSyntax.self)?.segments.trimmedDescription
  }

  /// The literals in the array that is the argument labelled `label`, also those inside calls.
  fileprivate func literals(_ label: String) -> [String] {
    argument(label)?.as(ArrayExprSyntax.self)?.elements.compactMap { element in
      if let literal = element.expression.as(StringLiteralExprSyntax.self) {
        return literal.segments.trimmedDescription
      }
      return element.expression.as(FunctionCallExprSyntax.self)?.literal("name")
    } ?? []
  }

  private func argument(_ label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}
