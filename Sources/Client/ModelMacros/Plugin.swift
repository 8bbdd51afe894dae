import Glibc
import MacroExpansions
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The plugin's process: answers the compiler's messages on standard input until the compiler closes it.
///
/// It stands in for `CompilerPlugin` of the SwiftCompilerPlugin module, which toolchains do not ship.
/// What the macros expand to is in MacroExpansions.
@main struct Plugin {
  static func main() {
    do {
      let connection = try StandardIOMessageConnection()
      try CompilerPluginMessageListener(connection: connection, provider: Macros()).main()
    } catch {
      // What is written to standard error appears in the build's log.
      let message = "Contrail's macro plugin stopped: \(error)\n"
      _ = write(STDERR_FILENO, message, message.utf8.count)
      exit(1)
    }
  }
}

/// Finds macros for the compiler.
struct Macros: PluginProvider {
  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    try MacroTable.macro(typeName, of: moduleName)
  }
}
