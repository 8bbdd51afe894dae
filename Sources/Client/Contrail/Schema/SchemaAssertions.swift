@_exported public import func DataModel.assertAttribute
@_exported public import func DataModel.assertRelationship
@_exported public import func DataModel.assertUnique
@_exported public import struct DataModel.SchemaAssertionFailure

public import DataModel

/// Checks that a schema has an entity called `name`, with the given parent where one is given; for users' own
/// tests.
///
/// ```swift
/// @Test func quakesHaveMagnitudes() throws {
///   let quake = try assertEntity("Quake", in: Schema([Quake.self]))
///   try assertAttribute("magnitude", in: quake, type: .double)
/// }
/// ```
///
/// - Throws: `SchemaAssertionFailure` that says what differs and what there is instead.
@discardableResult
public func assertEntity(
  _ name: String, in schema: Schema, parent: String? = nil
) throws(SchemaAssertionFailure) -> DataModel.Schema.Entity {
  try DataModel.assertEntity(name, in: schema.stored, parent: parent)
}
