import SwiftDiagnostics
import SwiftOperators
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// What the compiler would make of `source`: the expanded text, and each diagnostic with its place.
struct Expansion {
  let text: String
  let diagnostics: [String]

  init(of source: String, macros: [String: any Macro.Type]) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Example", fullFilePath: "Example.swift")])
    text =
      file.expand(
        macros: macros,
        contextGenerator: { node in
          BasicMacroExpansionContext(
            sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
        }
      ).description
    diagnostics = context.diagnostics.map { Self.line(for: $0, in: context) }
  }

  /// One line as compilers write it: `1:13: error: what is wrong`.
  private static func line(for diagnostic: Diagnostic, in context: BasicMacroExpansionContext)
    -> String
  {
    let place = context.location(
      for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Example.swift")
    return
      "\(place.line):\(place.column): \(diagnostic.diagMessage.severity): \(diagnostic.message)"
  }
}
