import SwiftSyntax

/// Holds the imports of a module's files against the module's row.
enum ImportCheck {
  /// What `file`, which belongs to the module of `row`, imports without leave.
  static func violations(in file: SourceFile, of row: ModuleRow) -> [Violation] {
    imports(in: file).filter { !row.imports.contains($0.module) }.map { found in
      Violation(
        path: file.path, line: found.line,
        message: "\(row.name) may not import \(found.module); "
          + "allowed: \(row.imports.sorted().joined(separator: ", "))")
    }
  }

  /// The modules that `file` imports, whatever stands before or after the module's name.
  static func imports(in file: SourceFile) -> [(module: String, line: Int)] {
    let visitor = ImportVisitor(viewMode: .sourceAccurate)
    visitor.walk(file.syntax)
    return visitor.found.compactMap { found in
      found.path.first.map { ($0.name.text, file.line(of: found)) }
    }
  }
}

/// Collects import declarations, also those inside `#if`.
private final class ImportVisitor: SyntaxVisitor {
  var found: [ImportDeclSyntax] = []

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    found.append(node)
    return .skipChildren
  }
}
