import SwiftSyntax
import SwiftSyntaxBuilder

/// How values of a property are stored: which family of accessors it has.
struct PropertyCoding {
  /// What stands behind `read`, `write`, `initialize` and `set`.
  var suffix = ""
  /// One argument more, with its comma.
  var argument = ""

  /// All options of `@Attribute`, those among them that choose no family.
  static let options = Set(rows.keys).union([
    "allowsCloudEncryption", "ephemeral", "externalStorage", "merged", "preserveValueOnDeletion",
    "spotlight", "unique",
  ])

  /// The options of `@Attribute` that choose a family.
  static let rows: [String: @Sendable (ExprSyntax) -> PropertyCoding] = [
    "codable": { _ in PropertyCoding(suffix: "Codable") },
    "transformable": { option in
      let transformer = option.as(FunctionCallExprSyntax.self)?.arguments.first?.expression
      return PropertyCoding(
        suffix: "Transformable", argument: transformer.map { ", by: \($0.trimmed)" } ?? "")
    },
  ]
}
