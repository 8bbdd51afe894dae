import SchemaGenerator
import Testing

@testable import DataModel

/// Laws of the diff, over schemas that seeds draw; a failure names its seed.
@Suite struct SchemaDiffPropertyTests {
  @Test(arguments: UInt64(0)..<60)
  func `a random schema does not differ from itself, and never traps beside another`(
    _ seed: UInt64
  ) {
    let schema = Schema.random(seed: seed)
    let other = Schema.random(seed: seed &+ 1)
    #expect(diff(schema, schema).isEmpty)
    #expect(schema == other || !diff(schema, other).isEmpty)
    #expect(Set(diff(schema, other)).count == diff(schema, other).count)
    #expect(!MigrationForecast(from: schema, to: other).steps.isEmpty || schema == other)
  }

  @Test(arguments: UInt64(0)..<60)
  func `a random record schema differs from another exactly when they are not equal`(
    _ seed: UInt64
  ) {
    let schema = RecordSchema.random(seed: seed)
    let other = RecordSchema.random(seed: seed &+ 1)
    #expect(diff(schema, schema).isEmpty)
    #expect((schema == other) == diff(schema, other).isEmpty)
    #expect(Set(diff(schema, other)).count == diff(schema, other).count)
  }

  @Test(arguments: UInt64(0)..<60)
  func `a property that is taken out of a random schema is one change, and one back`(
    _ seed: UInt64
  ) throws {
    let schema = Schema.random(seed: seed)
    guard let entity = schema.entities.first(where: { $0.attributes.count > 1 }),
      let attribute = entity.attributes.last, entity.isMentionedNowhere(attribute.name)
    else { return }
    let without = schema.changing(entity: entity.name) {
      $0.attributes.removeAll { $0.name == attribute.name }
    }
    let element = SchemaElement.attribute(entity: entity.name, name: attribute.name)
    #expect(diff(schema, without) == [SchemaChange(element, .removed)])
    #expect(diff(without, schema) == [SchemaChange(element, .added)])
  }
}

extension Schema.Entity {
  /// Whether no key, index, constraint or renaming speaks of a property of that name.
  fileprivate func isMentionedNowhere(_ name: String) -> Bool {
    let isCalledSo: [String?] = attributes.filter { $0.name != name }.map(\.renamingIdentifier)
    return !isCalledSo.contains(name)
      && !attributes.contains { $0.name == name && $0.hasIdentifier }
      && !relationships.contains { $0.name == name }
  }
}

extension Schema.Attribute {
  fileprivate var hasIdentifier: Bool { renamingIdentifier != nil }
}
