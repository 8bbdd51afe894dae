import SwiftSyntax
import SwiftSyntaxBuilder

/// The members of a model class that say what it is made of.
struct SchemaMembers {
  let members: ModelMembers

  var all: [DeclSyntax] { metadata + [plan] + ownPlan }

  private var model: ModelClass { members.model }

  private var metadata: [DeclSyntax] {
    let type = "[Contrail.Schema.PropertyMetadata]"
    let heading = "\(members.typeModifiers) var schemaMetadata: \(type)"
    let entries = model.properties.map(entry) + model.constraints.map(entry)
    let list = "[\(entries.map { "\n\($0)" }.joined(separator: ","))\n]"
    guard model.mayBeIsolated else { return ["\(raw: heading) {\n\(raw: list)\n}"] }
    return [
      """
      \(raw: heading) {
      Contrail._unisolated(_$ownMetadata, as: (() -> \(raw: type)).self)()
      }
      """,
      "private static func _$ownMetadata() -> \(raw: type) {\n\(raw: list)\n}",
    ]
  }

  private func entry(_ property: ModelProperty) -> String {
    let marker = property.marker.map { marker in
      "Contrail.Schema.\(marker.lastName)(\(marker.labeledArguments.trimmed))"
    }
    return """
      Contrail.Schema.PropertyMetadata(
      name: "\(property.storedName)", keypath: \\\(model.name).\(property.name),
      defaultValue: \(property.constantDefault ?? "nil"),
      metadata: \(marker ?? "nil"))
      """
  }

  /// What `#Unique` or `#Index` says: it is of no one property, so it has no key path of its own.
  private func entry(_ constraint: MacroExpansionDeclSyntax) -> String {
    let kind = constraint.macroName.text
    return """
      Contrail.Schema.PropertyMetadata(
      name: "Contrail.Schema.\(kind)", keypath: \\Contrail.Schema.encodingVersion,
      defaultValue: nil,
      metadata: Contrail.Schema.\(kind)<\(model.name)>(\(constraint.arguments.trimmed)))
      """
  }

  private var plan: DeclSyntax {
    let own = model.isInGenericScope ? "Contrail.ModelPlan.shared(\(model.name).self)" : "_$ownPlan"
    return "\(raw: members.typeModifiers) var _$plan: Contrail.ModelPlan { \(raw: own) }"
  }

  /// The plan where it is made once, which a type inside a generic one has no place for.
  private var ownPlan: [DeclSyntax] {
    guard !model.isInGenericScope else { return [] }
    return ["private nonisolated static let _$ownPlan = Contrail.ModelPlan(\(model.name).self)"]
  }
}
