import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Model` also puts on each property of a class that may be a subclass, so that an initializer can
/// set it before there is a whole object.
///
/// It is a macro of its own because the compiler keeps a property's initial value where one expansion has
/// both the accessor for initializers and the others.
struct PersistedInitialValueMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let place = PropertyPlace(node, on: declaration, in: context) else { return [] }
    let mark = place.mark ?? ModelClass.startMark
    return [
      """
      @storageRestrictions(accesses: _$model, initializes: \(mark))
      init(initialValue) {
      unsafe _$model.initialize\(raw: place.coding.suffix)(\(place.rank), initialValue\(raw: place.coding.argument))
      \(mark) = Contrail._NoValue()
      }
      """
    ]
  }
}
