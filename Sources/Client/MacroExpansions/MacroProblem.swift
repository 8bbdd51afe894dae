import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Why a macro cannot be expanded, as the compiler shows it at a place in the source.
struct MacroProblem: DiagnosticMessage {
  /// Names the kind of problem, not the text.
  var id: String
  /// What is wrong and what to write instead, in one line.
  var message: String

  var diagnosticID: MessageID { MessageID(domain: "Contrail", id: id) }
  var severity: DiagnosticSeverity { .error }

  /// The error to throw from an expansion: this problem, shown at `node`.
  func at(_ node: some SyntaxProtocol) -> DiagnosticsError {
    DiagnosticsError(diagnostics: [Diagnostic(node: node, message: self)])
  }
}
