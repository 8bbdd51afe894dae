import SwiftSyntax

/// Holds the targets of Package.swift against the table of modules.
enum ManifestCheck {
  /// A target as the manifest declares it.
  struct Target {
    var kind: String
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
    let declared = targets(in: manifest)
    let targets = declared.filter(\.isModule)
    let macros = declared.filter { $0.kind == ".macro" }.map(\.name)
    let missing = rows.filter { row in !targets.contains { $0.name == row.name } }.map { row in
      Violation(path: manifest.path, line: 1, message: "no target for the module \(row.name)")
    }
    return missing
      + targets.flatMap { violations(of: $0, in: manifest, rows: rows, macros: macros) }
      + declared.flatMap { doubledBuild(by: $0, in: manifest, macros: macros) }
  }

  private static func violations(
    of target: Target, in manifest: SourceFile, rows: [ModuleRow], macros: [String]
  ) -> [Violation] {
    func violation(_ message: String) -> Violation {
      Violation(path: manifest.path, line: target.line, message: message)
    }
    guard let row = rows.first(where: { $0.name == target.name }) else {
      return [violation("the target \(target.name) has no row in ModuleTable.rows")]
    }
    // A macro is not imported: the module that declares it names its plugin in `#externalMacro`.
    let imported = target.dependencies.filter { !macros.contains($0) }
    let surplus = imported.filter { !row.imports.contains($0) }.map {
      violation("\(target.name) may not depend on \($0): its row does not allow the import")
    }
    let misplaced =
      target.path == row.path ? [] : [violation("\(target.name) belongs in \(row.path)")]
    return surplus + misplaced
  }

  /// A test target that depends on a macro makes the package manager build every test, and all that
  /// tests use, a second time.
  private static func doubledBuild(
    by target: Target, in manifest: SourceFile, macros: [String]
  ) -> [Violation] {
    guard target.kind == ".testTarget" else { return [] }
    return target.dependencies.filter(macros.contains).map { macro in
      Violation(
        path: manifest.path, line: target.line,
        message: "\(target.name) may not depend on the macro \(macro), which doubles the build; "
          + "test the module with its expansions")
    }
  }

  /// The targets that `manifest` declares.
  static func targets(in manifest: SourceFile) -> [Target] {
    let visitor = TargetVisitor(viewMode: .sourceAccurate)
    visitor.walk(manifest.syntax)
    return visitor.found.compactMap { call in
      guard let name = call.literal("name") else { return nil }
      return Target(
        kind: call.calledExpression.trimmedDescription, name: name, path: call.literal("path"),
        dependencies: call.literals("dependencies"),
        line: manifest.line(of: call))
    }
  }
}

/// Collects `.target(…)` and its kin.
private final class TargetVisitor: SyntaxVisitor {
  var found: [FunctionCallExprSyntax] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let kinds = [".target", ".executableTarget", ".macro", ".systemLibrary", ".testTarget"]
    let kind = node.calledExpression.trimmedDescription
    // `.target(name:)` also stands inside dependency lists; of ours, a declared one has a path.
    let isDeclared = kind == ".testTarget" || node.literal("path") != nil
    if kinds.contains(kind), isDeclared { found.append(node) }
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
