import DataModel
import ObjectStore

/// What a schema calls composite types: by their own names, and where several types with different parts
/// have one name, by those of the types around them too.
struct CompositeNames {
  /// All shapes with the names that they have here, each name once.
  private var shapes: [String: CompositeShape] = [:]
  private var shared: Set<String> = []
  /// Shapes that have one name all the same.
  private(set) var failures: [StoreError] = []

  init(_ plans: [ModelPlan]) {
    let all = plans.flatMap(\.properties.own).compactMap(\.shape).flatMap(\.all)
    var simple: [String: CompositeShape] = [:]
    for shape in all {
      let known = simple.updateValue(shape, forKey: shape.name)
      if let known, known != shape { shared.insert(shape.name) }
    }
    var refused: Set<String> = []
    for shape in all {
      let name = name(of: shape)
      guard let known = shapes.updateValue(shape, forKey: name), known != shape,
        refused.insert(name).inserted
      else { continue }
      failures.append(
        StoreError(
          .invalidSchema, name, "is the name of two types with different parts",
          fix: "rename one of them"))
    }
  }

  /// What the schema calls a shape.
  func name(of shape: CompositeShape) -> String {
    shared.contains(shape.name) ? shape.qualifiedName : shape.name
  }

  /// The composite types.
  var composites: [DataModel.Schema.Composite] {
    shapes.map { name, shape in
      DataModel.Schema.Composite(name: name, attributes: shape.members.map(attribute))
    }
  }

  private func attribute(_ member: CompositeShape.Member) -> DataModel.Schema.Attribute {
    switch member.content {
    case .value(let type):
      return DataModel.Schema.Attribute(
        name: member.name, type: type, isOptional: member.isOptional)
    case .composite(let shape):
      return DataModel.Schema.Attribute(
        name: member.name, type: .composite, compositeName: name(of: shape),
        isOptional: member.isOptional)
    case .opaque:
      var made = DataModel.Schema.Attribute(
        name: member.name, type: .transformable, isOptional: member.isOptional)
      made.transformerName = CodableColumn.transformerName
      made.valueClassName = member.typeName
      return made
    }
  }
}
