import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Why a macro cannot be expanded, or should be written otherwise, as the compiler shows it at a place in
/// the source.
struct MacroProblem: DiagnosticMessage {
  /// Names the kind of problem, not the text.
  var id: String
  /// What is wrong and what to write instead, in one line.
  var message: String
  /// Whether the program can be compiled all the same.
  var severity = DiagnosticSeverity.error

  var diagnosticID: MessageID { MessageID(domain: "Contrail", id: id) }

  /// The error to throw from an expansion: this problem, shown at `node`.
  func at(_ node: some SyntaxProtocol) -> DiagnosticsError {
    DiagnosticsError(diagnostics: [found(at: node)])
  }

  /// This problem, shown at `node`, with the changes that would mend it.
  func found(at node: some SyntaxProtocol, fix: FixIt? = nil) -> Diagnostic {
    Diagnostic(node: node, message: self, fixIts: fix.map { [$0] } ?? [])
  }
}

/// What a fix-it does, as an editor shows it.
struct MacroFix: FixItMessage {
  /// Names the kind of change, not the text.
  var id: String
  /// What the change is, as a command.
  var message: String

  var fixItID: MessageID { MessageID(domain: "Contrail", id: id) }
}
