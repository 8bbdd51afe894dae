import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Model` puts on each property that a store keeps: the reading and the writing.
///
/// The compiler drops the property's initial value, since these accessors take no part in initialization.
/// So what a property begins with is made for new objects only, never for those that are read from a store.
struct PersistedPropertyMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let place = PropertyPlace(node, on: declaration, in: context) else { return [] }
    return [
      """
      get {
      unsafe _$model.read\(raw: place.coding.suffix)(\(place.rank), of: self, \\.\(place.name)\(raw: place.coding.argument))
      }
      """,
      """
      set {
      unsafe _$model.write\(raw: place.coding.suffix)(\(place.rank), newValue, of: self, \\.\(place.name)\(raw: place.coding.argument))
      }
      """,
    ]
  }

  /// The empty member that the compiler asks an initializer to set.
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let place = PropertyPlace(node, on: declaration, in: context), let mark = place.mark
    else { return [] }
    return ["private nonisolated(unsafe) var \(mark): Contrail._NoValue"]
  }
}
