package import SwiftSyntaxMacros

/// Every macro that the plugin provides, by the type name in its `#externalMacro`.
///
/// A new macro is a file of its own and a row here.
package enum MacroTable {
  package static var rows: [String: any Macro.Type] {
    [
      "AttributeMacro": AttributeMacro.self,
      "IndexMacro": IndexMacro.self,
      "ModelActorMacro": ModelActorMacro.self,
      "ModelMacro": ModelMacro.self,
      "PersistedInitialValueMacro": PersistedInitialValueMacro.self,
      "PersistedPropertyMacro": PersistedPropertyMacro.self,
      "PersistedStartMacro": PersistedStartMacro.self,
      "RecordNameMacro": RecordNameMacro.self,
      "RelationshipMacro": RelationshipMacro.self,
      "TransientMacro": TransientMacro.self,
      "UniqueMacro": UniqueMacro.self,
    ]
  }

  /// The macro that `module` declares with the type name `type`.
  package static func macro(_ type: String, of module: String) throws -> any Macro.Type {
    guard let macro = rows[type] else { throw UnknownMacro(module: module, type: type) }
    return macro
  }
}

/// A macro was declared that the plugin does not have.
package struct UnknownMacro: Error, CustomStringConvertible {
  var module: String
  var type: String

  package var description: String {
    "no macro \(module).\(type) in the table of macros; add a row to MacroTable.rows"
  }
}
