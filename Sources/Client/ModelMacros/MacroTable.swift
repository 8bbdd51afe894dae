import SwiftSyntaxMacros

/// Every macro that the plugin provides, by the type name in its `#externalMacro`.
///
/// A new macro is a file of its own and a row here.
enum MacroTable {
  static var rows: [String: any Macro.Type] {
    [
      "RecordNameMacro": RecordNameMacro.self
    ]
  }
}
