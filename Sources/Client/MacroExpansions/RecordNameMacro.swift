import DataModel
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Expands `#recordName("flight-1")` to a `RecordName` that cannot be nil, after checking the literal
/// by the rules of `RecordName.problem(with:)`.
struct RecordNameMacro: ExpressionMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    let text = try literalText(of: node)
    if let problem = RecordName.problem(with: text.value) {
      throw MacroProblem(
        id: "recordName.refused", message: "the record name \(problem)"
      ).at(text.literal)
    }
    // Written out anew, so that raw and multi-line literals need no care.
    return "Contrail.RecordName(_checked: \(literal: text.value))"
  }

  /// The macro's one argument and the text that it spells.
  private static func literalText(
    of node: some FreestandingMacroExpansionSyntax
  ) throws -> (literal: StringLiteralExprSyntax, value: String) {
    guard let argument = node.arguments.first?.expression,
      let literal = argument.as(StringLiteralExprSyntax.self)
    else {
      throw MacroProblem(
        id: "recordName.notALiteral",
        message: "#recordName takes a string literal; for other text use RecordName(_:)"
      ).at(node.arguments.first.map { Syntax($0.expression) } ?? Syntax(node))
    }
    if let interpolation = literal.segments.first(where: { $0.is(ExpressionSegmentSyntax.self) }) {
      throw MacroProblem(
        id: "recordName.interpolation",
        message: "#recordName takes a literal without interpolation; "
          + "for text made at run time use RecordName(_:)"
      ).at(interpolation)
    }
    guard let value = literal.representedLiteralValue else {
      throw MacroProblem(
        id: "recordName.unreadable", message: "the literal cannot be read; mend its escapes"
      ).at(literal)
    }
    return (literal, value)
  }
}
