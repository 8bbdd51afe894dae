// Checks for users' own tests: that a schema at run time is the one that was designed. They throw, so
// that they serve any test library: `try assertAttribute("magnitude", in: quake, type: .double)`.

/// Checks that `entity` has an attribute called `name` with the given type, and optionality where
/// one is given.
///
/// ```swift
/// @Test func quakesHaveMagnitudes() throws {
///   let quake = try assertEntity("Quake", in: schema)
///   try assertAttribute("magnitude", in: quake, type: .double)
/// }
/// ```
///
/// - Throws: `SchemaAssertionFailure` that says what differs and what there is instead.
@discardableResult
public func assertAttribute(
  _ name: String, in entity: Schema.Entity, type: Schema.AttributeType, isOptional: Bool? = nil
) throws(SchemaAssertionFailure) -> Schema.Attribute {
  guard let attribute = entity.attribute(name) else {
    throw SchemaAssertionFailure(
      "\(entity.name).\(name)", expected: "an attribute of type \(type)",
      found: SchemaAssertionFailure.listing("attributes", entity.attributes.map(\.name)))
  }
  try check("\(entity.name).\(name)", "type", attribute.type, type)
  try check("\(entity.name).\(name)", "optional", attribute.isOptional, isOptional)
  return attribute
}

/// Checks that `schema` has an entity called `name`, with the given parent where one is given.
///
/// - Throws: `SchemaAssertionFailure` that says what differs and what there is instead.
@discardableResult
public func assertEntity(
  _ name: String, in schema: Schema, parent: String? = nil
) throws(SchemaAssertionFailure) -> Schema.Entity {
  guard let entity = schema.entity(name) else {
    throw SchemaAssertionFailure(
      name, expected: "an entity",
      found: SchemaAssertionFailure.listing("entities", schema.entities.map(\.name)))
  }
  if let parent { try check(name, "parent", entity.parent ?? "none", parent) }
  return entity
}

/// Checks that `entity` has a relationship called `name` to `destination`, with the given inverse,
/// cardinality and delete rule where they are given.
///
/// - Throws: `SchemaAssertionFailure` that says what differs and what there is instead.
@discardableResult
public func assertRelationship(
  _ name: String, in entity: Schema.Entity, to destination: String, inverse: String? = nil,
  isToMany: Bool? = nil, deleteRule: Schema.Relationship.DeleteRule? = nil
) throws(SchemaAssertionFailure) -> Schema.Relationship {
  let subject = "\(entity.name).\(name)"
  guard let relationship = entity.relationship(name) else {
    throw SchemaAssertionFailure(
      subject, expected: "a relationship to \(destination)",
      found: SchemaAssertionFailure.listing("relationships", entity.relationships.map(\.name)))
  }
  try check(subject, "destination", relationship.destination, destination)
  if let inverse { try check(subject, "inverse", relationship.inverse ?? "none", inverse) }
  try check(subject, "to-many", relationship.isToMany, isToMany)
  try check(subject, "delete rule", relationship.deleteRule, deleteRule)
  return relationship
}

/// Checks that no two objects of `entity` may share the values of `properties`.
///
/// - Throws: `SchemaAssertionFailure` that says which constraints there are.
public func assertUnique(
  _ properties: String..., in entity: Schema.Entity
) throws(SchemaAssertionFailure) {
  guard !entity.uniquenessConstraints.contains(properties) else { return }
  let present = entity.uniquenessConstraints.map { "(\($0.joined(separator: ", ")))" }
  throw SchemaAssertionFailure(
    entity.name, expected: "to be unique by (\(properties.joined(separator: ", ")))",
    found: SchemaAssertionFailure.listing("constraints", present))
}

/// How a run-time schema differs from what a test says was designed.
public struct SchemaAssertionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part that was checked, such as `Quake.magnitude`.
  public let subject: String
  /// What the test says.
  public let expected: String
  /// What the schema has.
  public let found: String

  package init(_ subject: String, expected: String, found: String) {
    self.subject = subject
    self.expected = expected
    self.found = found
  }

  /// The failure as one sentence.
  public var description: String { "\(subject): expected \(expected), found \(found)" }

  fileprivate static func listing(_ plural: String, _ names: [String]) -> String {
    names.isEmpty ? "no \(plural)" : "the \(plural) \(names.joined(separator: ", "))"
  }
}

private func check<Value: Equatable>(
  _ subject: String, _ feature: String, _ found: Value, _ expected: Value?
) throws(SchemaAssertionFailure) {
  guard let expected, found != expected else { return }
  throw SchemaAssertionFailure(
    subject, expected: "\(feature) \(expected)", found: "\(feature) \(found)")
}
