import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Model` puts on an initializer that sets no property, such as `init() {}`, where a default is another
/// one each time.
///
/// An object is made when a property is first set or read. Here that would be after the initializer, so that
/// `var made = Date.now` would be the time at which somebody looked.
struct PersistedStartMacro: BodyMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
    in context: some MacroExpansionContext
  ) throws -> [CodeBlockItemSyntax] {
    let statements = declaration.body?.statements.map { $0 } ?? []
    return ["_ = self._newObject()"] + statements
  }
}

extension ModelClass {
  /// Whether `initializer` has to be told to make the object.
  func needsStart(_ initializer: InitializerDeclSyntax) -> Bool {
    guard syntax.isCertainlyRoot, !initializer.has(modifier: .convenience),
      properties.contains(where: { $0.defaultValue?.isConstant == false }),
      let assigned = initializer.assignedNames
    else { return false }
    return !properties.contains { assigned.contains($0.storedName) }
  }
}
