import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Model` puts on an initializer where a default is another one each time.
///
/// An object is made when a property is first set or read, or where there may be a superclass, once there is
/// a `self`. That may be after the initializer, so that `var made = Date.now` would be the time at which
/// somebody looked.
struct PersistedStartMacro: BodyMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
    in context: some MacroExpansionContext
  ) throws -> [CodeBlockItemSyntax] {
    let statements = declaration.body?.statements.map { $0 } ?? []
    guard let model = context.lexicalContext.first?.as(ClassDeclSyntax.self) else {
      return statements
    }
    let start: CodeBlockItemSyntax =
      model.isCertainlyRoot
      ? "_ = self._newObject()" : "unsafe \(model.name.trimmed)._$giveStart(&self._$model)"
    return [start] + statements
  }
}

extension ModelClass {
  /// Whether `initializer` has to be told to make the object, or to give it its first values.
  func needsStart(_ initializer: InitializerDeclSyntax) -> Bool {
    guard !initializer.has(modifier: .convenience), initializer.body != nil,
      properties.contains(where: \.startsAnew)
    else { return false }
    // What makes the values of other classes has the isolation that the class has.
    return syntax.isCertainlyRoot || !initializer.has(modifier: .nonisolated)
  }
}
