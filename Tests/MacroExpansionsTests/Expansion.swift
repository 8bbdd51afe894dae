import SwiftDiagnostics
import SwiftIfConfig
import SwiftOperators
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// What the compiler would make of `source`: the expanded text, each diagnostic with its place, and the
/// source as it is when every fix-it was taken.
struct Expansion {
  let text: String
  let diagnostics: [String]
  let fixed: String

  /// Expands `macros`; those that find a conformance missing are told of each in `conformances`.
  init(
    of source: String, macros: [String: any Macro.Type], conformances: [TypeSyntax] = [],
    build: StaticBuildConfiguration = .swift6
  ) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Example", fullFilePath: "Example.swift")],
      buildConfiguration: build)
    text =
      file.expand(
        macroSpecs: macros.mapValues { MacroSpec(type: $0, conformances: conformances) },
        contextGenerator: { node in
          BasicMacroExpansionContext(
            sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
        }, indentationWidth: .spaces(2)
      ).description
    diagnostics = context.diagnostics.flatMap { Self.lines(for: $0, in: context) }
    fixed = Self.fixing(source, by: context.diagnostics, in: context)
  }

  /// One line as compilers write it, `1:13: error: what is wrong`, and one for each fix-it.
  private static func lines(
    for diagnostic: Diagnostic, in context: BasicMacroExpansionContext
  ) -> [String] {
    let place = context.location(
      for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Example.swift")
    let line =
      "\(place.line):\(place.column): \(diagnostic.diagMessage.severity): \(diagnostic.message)"
    return [line] + diagnostic.fixIts.map { "fix: \($0.message.message)" }
  }

  private static func fixing(
    _ source: String, by diagnostics: [Diagnostic], in context: BasicMacroExpansionContext
  ) -> String {
    let edits = diagnostics.flatMap(\.fixIts).flatMap(\.changes).compactMap { change in
      guard case .replaceText(let range, let text, let node) = change else {
        return nil as (Range<Int>, String)?
      }
      let offset = { context.location(for: $0, anchoredAt: node, fileName: "").offset }
      return (offset(range.lowerBound)..<offset(range.upperBound), text)
    }
    var bytes = Array(source.utf8)
    for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      bytes.replaceSubrange(range, with: Array(text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension StaticBuildConfiguration {
  /// What the compiler says of the language mode.
  static var swift6: StaticBuildConfiguration { mode(6) }
  static var swift5: StaticBuildConfiguration { mode(5) }

  private static func mode(_ language: Int) -> StaticBuildConfiguration {
    StaticBuildConfiguration(
      customConditions: ["DEBUG"], languageVersion: VersionTuple(language),
      compilerVersion: VersionTuple(6, 3))
  }
}
