import DataModel

extension SchemaDocument {
  /// Stops at an entity with more ancestors than any model needs: what looks at every ancestor of
  /// every entity would take minutes for thousands of them.
  func refuseDeepInheritance() throws(SchemaFormatError) {
    guard case .objects(let schema) = content, let entity = schema.tooDeepEntity else { return }
    throw SchemaFormatError(
      at: location(of: .entity(entity), aspect: .parent),
      expected: "at most \(Schema.inheritanceDepthMax) ancestors of an entity",
      found: "more of \"\(entity)\"")
  }
}
