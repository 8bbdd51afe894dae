import SwiftSyntax
import SwiftSyntaxBuilder

/// The members of a model class that say what it is made of.
struct SchemaMembers {
  let members: ModelMembers

  var all: [DeclSyntax] { [metadata, plan, ownPlan] }

  private var model: ModelClass { members.model }

  private var metadata: DeclSyntax {
    let entries = model.properties.map(entry)
    return """
      \(raw: members.typeModifiers) var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
      [\(raw: entries.map { "\n\($0)" }.joined(separator: ","))
      ]
      }
      """
  }

  private func entry(_ property: ModelProperty) -> String {
    let marker = property.marker.map { marker in
      "Contrail.Schema.\(marker.lastName)(\(marker.labeledArguments.trimmed))"
    }
    return """
      Contrail.Schema.PropertyMetadata(
      name: "\(property.storedName)", keypath: \\\(model.name).\(property.name),
      defaultValue: \(property.constantDefault ?? "nil"), metadata: \(marker ?? "nil"))
      """
  }

  private var plan: DeclSyntax {
    "\(raw: members.typeModifiers) var _$plan: Contrail.ModelPlan { _$ownPlan }"
  }

  private var ownPlan: DeclSyntax {
    "private static let _$ownPlan = Contrail.ModelPlan(\(model.name).self)"
  }
}
